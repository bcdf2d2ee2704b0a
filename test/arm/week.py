#!/usr/bin/env python3
"""Measures what a week does to a bundle. The arm's recording has objects that stand nearly straight before a fixed camera. In the
week after it they are turned, the camera is bumped, and the lamp burns lower at night; what is executed is recorded. Plans from
photographs of each condition are judged, with the bundle and with what `learn --refresh` makes of it. Prints a table, or JSON with
--json.

    .deps/arm/bin/python test/arm/week.py --keep runs/week
"""

import argparse
import collections
import csv
import json
import pathlib
import random
import subprocess
import sys

import numpy as np
from PIL import Image

import judge
from cell import LAMP, Cell, Failed, Refused
from eye import Eye
from judge import NAMES
from skills import PADS, SKILLS, applies, arrange, attempt, follows, states

ROOT = pathlib.Path(__file__).parents[2]
TURNED = 0.4  # rad, one sigma: how objects stand in the week
DIM = 0.75  # of the lamp, at night
BUMP = 0.02  # of the image's width, to a side, and a fifth of it as roll
SHIFT = 0.01  # m to each axis at most: what is near shifts farther than what is not
UNKNOWN_IMAGE = 13  # exit status of plan
SIDES = 160, 120  # pixels of an image


class Week:

    def __init__(self, o):
        self.o, self.skills, self.keep = o, SKILLS[o.mode], pathlib.Path(o.keep)
        self.random, self.eyes = random.Random(o.seed), []

    def setting(self, seed, turned=False, bumped=False):
        """A cell and its camera, in one of the conditions."""
        cell = Cell(self.o.assets, seed)
        if turned:
            cell.turn = TURNED
        eye = Eye(cell, *SIDES)
        self.eyes.append(eye)  # OSMesa draws noise for one eye after another was freed
        if bumped:
            self.bump(eye)
            eye.lamp *= DIM
        return cell, eye

    def bump(self, eye):
        how = np.random.default_rng(self.o.seed)  # each time the same
        side, roll = how.uniform(0, 2 * np.pi), how.choice([-1, 1]) * BUMP / 5
        width = np.radians(eye.cell.model.camera(eye.camera).fovy[0]) * SIDES[0] / SIDES[1]
        eye.bump(BUMP * width * np.cos(side), BUMP * width * np.sin(side), roll, how.uniform(-SHIFT, SHIFT, 3))

    def record(self, name, cell, eye, attempts, every=0):
        """Attempts skills at random, nine in ten among those that apply; every so many the lamp changes, after a half of them the
        camera is bumped."""
        folder = self.keep / name
        if (folder / 'transitions.csv').exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        images, rows, outcomes = 0, [], collections.Counter()

        def shoot():
            nonlocal images
            eye.look()
            images += 1
            Image.fromarray(eye.shoot()).save(folder / f'{images:05}.png')
            return f'{images:05}.png'

        for k in range(attempts):
            if every:
                eye.lamp = LAMP * (DIM if k // every % 2 else 1)
                if k == attempts // 2:
                    self.bump(eye)
            state = judge.state(cell.poses())
            if reset := k == 0 or None in state or k % 250 == 249:
                cell.reset(self.random.sample(PADS, len(NAMES)))
                state = judge.state(cell.poses())
            action = attempt(self.o.mode, state, self.random)
            before = shoot()
            kind, thing, pad = self.skills[action - 1]
            try:
                getattr(cell, kind)(thing, pad)
                outcome = 'succeeded'
            except Refused:
                outcome = 'refused'
            except Failed:
                outcome = 'failed'
            rows.append([before, action, shoot(), outcome, int(reset)])
            outcomes[outcome] += 1
            if len(rows) % 100 == 0:
                print(f'{name}: {len(rows)} of {attempts} attempts', dict(outcomes), file=sys.stderr, flush=True)
        with open(folder / 'transitions.csv', 'w') as file:  # last: what has it is whole
            csv.writer(file).writerows([['before', 'action', 'after', 'outcome', 'reset'], *rows])

    def photographs(self, name, cell, eye):
        """Images of random states, and what they show."""
        folder, shown = self.keep / name, []
        folder.mkdir(exist_ok=True)
        all_states = list(states(self.o.mode))
        while len(shown) < self.o.photographs:
            state = self.random.choice(all_states)
            arrange(state, self.random, cell.reset, cell.pick)
            if judge.state(cell.poses()) == state:
                eye.look()
                Image.fromarray(eye.shoot()).save(folder / f'{len(shown)}.png')
                shown.append(state)
        return folder, shown

    def plans(self, bundle, folder, shown):
        """How many plans from each photograph to the next lead there."""
        verdicts = collections.Counter()
        for i, start in enumerate(shown):
            j = (i + 1) % len(shown)
            if start == shown[j]:
                continue
            run = self.stripswm('plan', '--bundle', bundle, '--start', folder / f'{i}.png', '--goal', folder / f'{j}.png', '--json')
            if run.returncode == UNKNOWN_IMAGE:
                verdicts['refused'] += 1
            elif run.returncode:
                verdicts['no plan'] += 1
            else:
                verdicts['right' if self.leads(json.loads(run.stdout)['plan'], start, shown[j]) else 'wrong'] += 1
        return {v: verdicts[v] for v in ('right', 'wrong', 'refused', 'no plan')}

    def leads(self, plan, state, goal):
        for action in plan:
            skill = self.skills[action - 1]
            if not applies(skill, state):
                return False
            state = follows(skill, state)
        return state == goal

    def stripswm(self, *command):
        with open(self.keep / 'stripswm.log', 'a') as log:
            return subprocess.run([self.o.stripswm, *map(str, command)], stdout=subprocess.PIPE, stderr=log, text=True)

    def learn(self, out, *flags):
        if (self.keep / out / 'bundle').exists():
            return {}
        run = self.stripswm('learn', '--quiet', '--json', '--seed', self.o.seed, '--out', self.keep / out, '--bag', self.keep / 'recording',
                            *flags)
        if run.returncode:
            raise RuntimeError(f'learn ended with {run.returncode}: see {self.keep}/stripswm.log')
        return json.loads(run.stdout)

    def run(self):
        o = self.o
        self.record('recording', *self.setting(o.seed), o.attempts)
        self.record('week', *self.setting(1000 + o.seed, turned=True), o.week, every=max(1, o.week // 6))
        self.learn('learned')
        table = {'mode': o.mode, 'seed': o.seed, 'attempts': o.attempts, 'in the week': o.week}
        refreshed = self.learn('refreshed', '--refresh', self.keep / 'learned/bundle', '--bag', self.keep / 'week', '--confirmed')
        table['refreshed'] = {k: refreshed[k] for k in ('old', 'new') if k in refreshed}
        for name, condition in {'as recorded': {}, 'turned': {'turned': True}, 'camera and lamp': {'bumped': True},
                                'all of it': {'turned': True, 'bumped': True}}.items():
            shots = self.photographs(name.replace(' ', '-'), *self.setting(2000 + o.seed, **condition))
            for when, bundle in ('before', 'learned'), ('after', 'refreshed'):
                table[f'{name}, {when}'] = verdicts = self.plans(self.keep / bundle / 'bundle', *shots)
                print(f'{name}, {when}: {verdicts}', file=sys.stderr, flush=True)
        return table


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--mode', choices=list(SKILLS), default='picks')
    p.add_argument('--attempts', type=int, default=2000, help='of the recording')
    p.add_argument('--week', type=int, default=700, help='attempts in the week')
    p.add_argument('--photographs', type=int, default=100, help='of each condition')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--keep', default='runs/week', help='folder for all that is made; what it has is not made again')
    p.add_argument('--stripswm', type=pathlib.Path, default=ROOT / 'bin/stripswm')
    p.add_argument('--assets', default=ROOT / '.deps/arm/assets')
    p.add_argument('--json', action='store_true')
    o = p.parse_args()
    table = Week(o).run()
    if o.json:
        print(json.dumps(table))
        return
    for name, value in table.items():
        print(f'{name:28}' + (', '.join(f'{v} {k}' for k, v in value.items()) if isinstance(value, dict) else str(value)))


if __name__ == '__main__':
    main()
