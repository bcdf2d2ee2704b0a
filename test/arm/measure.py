#!/usr/bin/env python3
"""Records the arm, learns from it, and has the planner reach goals on it. Prints a table, or JSON with --json.

    test/arm/run.sh test/arm/measure.py --keep runs/arm
"""

import argparse
import collections
import csv
import json
import pathlib
import random
import signal
import subprocess
import sys
import time

import rclpy
from PIL import Image
from strips_wm_msgs.action import PlanToImage
from strips_wm_msgs.msg import SkillStatus, Transition

import judge
from cell import Cell
from client import Client
from eye import Eye
from judge import NAMES
from skills import PADS, SKILLS, arrange, attempt, states

HERE = pathlib.Path(__file__).parent


class Measurement:

    def __init__(self, o):
        self.o, self.skills, self.random = o, SKILLS[o.mode], random.Random(o.seed)
        self.keep, self.processes = pathlib.Path(o.keep), []
        self.keep.mkdir(parents=True, exist_ok=True)
        rclpy.init()
        self.client, self.failures = Client(), 0
        self.client.create_subscription(SkillStatus, 'skill_status', self.watch, 100)
        self.start('arm', sys.executable, HERE / 'node.py', '--ros-args', '-p', f'mode:={o.mode}', '-p', f'seed:={o.seed}',
                   '-p', f'assets:={o.assets}')

    def start(self, name, *command):
        """Starts a program, which writes into a file beside the recording."""
        process = subprocess.Popen([str(c) for c in command], stdout=open(self.keep / f'{name}.log', 'w'), stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def stop(self, process):
        process.send_signal(signal.SIGINT)
        self.end(process)

    def end(self, process):
        self.processes.remove(process)
        if code := process.wait(60):
            raise RuntimeError(f'{process.args[0]} ended with {code}: see the logs in {self.keep}')

    def watch(self, status):
        self.failures += status.phase == SkillStatus.FAILED

    def progress(self, text):
        print(text, file=sys.stderr, flush=True)

    def scatter(self):
        self.client.put(self.random.sample(PADS, len(NAMES)))
        self.before = self.client.state()
        self.client.look()

    def record(self):
        """Has skills attempted, and writes beside the recording what was true."""
        client, o, begin, counts, left_out = self.client, self.o, time.monotonic(), collections.Counter(), 0
        recorder = self.start('recorder', o.programs / 'recorder', '--ros-args', '-p', f'directory:={self.keep}/bag', '-p', 'settle:=0.05',
                              '-p', 'motion_window:=0.03')
        client.until(lambda: client.count_publishers('transitions'))
        client.until(lambda: client.count_subscribers('skill_status') > 1 and client.count_subscribers('scene_reset'))
        self.scatter()
        with open(self.keep / 'truth.csv', 'w') as file:
            table = csv.writer(file)
            table.writerow(['before', 'action', 'after', 'outcome', 'note'])
            for _ in {'random': self.wander, 'explorer': self.explore}[o.policy]():
                t, after = client.transition(), client.state()
                if t is None:
                    left_out += 1
                    self.progress('an attempt was left out: ' + (self.keep / 'recorder.log').read_text()[-500:])
                    self.scatter()
                    continue
                table.writerow([' '.join(map(str, self.before)), t.action, ' '.join(map(str, after)), t.outcome, t.note])
                counts[t.outcome] += 1
                self.before = after
                if counts.total() % 100 == 0:
                    self.progress(f'recorded {counts.total()} attempts in {time.monotonic() - begin:.0f} s')
        self.stop(recorder)
        return {'policy': o.policy, 'attempts': counts.total(), 'left out': left_out, 'succeeded': counts[Transition.SUCCEEDED],
                'refused': counts[Transition.REFUSED], 'failed': counts[Transition.FAILED], 'seconds of recording': round(time.monotonic() - begin)}

    def wander(self):
        """Attempts skills at random, nine in ten among those that apply."""
        for i in range(self.o.attempts):
            if None in self.before or i % 250 == 249:
                self.scatter()
            self.client.skill(attempt(self.o.mode, self.before, self.random))
            yield

    def explore(self):
        """Lets the explorer choose, until it knows enough or has spent the attempts, and scatters the objects where it asks for that."""
        explorer = self.start('explorer', self.o.programs / 'explorer', '--ros-args', '-p', f'bag:={self.keep}/bag',
                              '-p', f'actions:={len(self.skills)}', '-p', f'budget:={self.o.attempts}', '-p', 'once:=true')
        while explorer.poll() is None:
            rclpy.spin_once(self.client, timeout_sec=0.1)
            if self.client.transitions:
                yield
            elif self.client.asked:
                self.client.asked = ''
                self.scatter()
        self.end(explorer)

    def recorded(self):
        """The states that the recording shows."""
        with open(self.keep / 'truth.csv') as file:
            rows = list(csv.DictReader(file))
        return {row[column] for row in rows for column in ('before', 'after')}

    def learn(self):
        begin = time.monotonic()
        with open(self.keep / 'learn.json', 'w') as out, open(self.keep / 'learn.log', 'w') as log:
            subprocess.run([self.o.programs / 'stripswm', 'learn', '--quiet', '--json', '--seed', str(self.o.seed), '--bag', self.keep / 'bag',
                            '--out', self.keep / 'learned', *self.o.learn], stdout=out, stderr=log, check=True)
        return {'seconds of learning': round(time.monotonic() - begin)}

    def pairs(self):
        """Starts and goals: of the second half neither was ever recorded, or as many of the two as there are such states."""
        seen = self.recorded()
        known, new = [], []
        for state in states(self.o.mode):
            (known if ' '.join(map(str, state)) in seen else new).append(state)
        half = self.o.pairs // 2
        for i in range(self.o.pairs):
            pool = known if i < self.o.pairs - half or not new else new
            start, goal = self.random.choice(pool if len(pool) > 1 else known), self.random.choice(pool)
            while start == goal:
                goal = self.random.choice(pool)
            yield start, goal, pool is new
        self.unrecorded = len(new)

    def evaluate(self):
        client, o, begin = self.client, self.o, time.monotonic()
        self.start('planner', o.programs / 'planner', '--ros-args', '-p', f'bundle:={self.keep}/learned/bundle', '-p', 'settle:=0.1')
        other = Cell(o.assets, 1000 + o.seed)  # goals are images of another cell, with its own noise
        eye = Eye(other, 160, 120)
        rows = []
        for start, goal, new in self.pairs():
            while True:
                arrange(start, self.random, client.put, lambda thing, pad: client.skill(self.skills.index(('pick', thing, pad)) + 1))
                if client.state() == start:
                    break
            while True:
                arrange(goal, self.random, other.reset, other.pick)
                if judge.state(other.poses()) == goal:
                    break
            eye.look()
            pixels, failed = eye.shoot(), self.failures
            Image.fromarray(pixels).save(self.keep / f'goal-{len(rows) + 1}.png')
            client.look()
            result = client.reach(pixels)
            while result.error_code == PlanToImage.Result.NOT_ACTIVE:
                time.sleep(1)
                result = client.reach(pixels)
            end = client.state()
            rows.append({'start': start, 'goal': goal, 'end': end, 'new': new, 'error': result.error_code, 'message': result.error_msg,
                         'skills': result.executed, 'verdict': self.verdict(result.error_code, goal, end, self.failures > failed)})
            self.progress(f'{len(rows)} of {o.pairs}: {rows[-1]}')
        (self.keep / 'pairs.json').write_text(json.dumps(rows, indent=1))
        table = {'states never recorded': self.unrecorded, 'seconds of planning and execution': round(time.monotonic() - begin)}
        for name, some in ('recorded', [r for r in rows if not r['new']]), ('never recorded', [r for r in rows if r['new']]):
            verdicts = collections.Counter(r['verdict'] for r in some)
            table[name] = {'pairs': len(some)} | {v: verdicts[v] for v in ('solved', 'wrong', 'refused', 'failed physically', 'not reached')}
        return table

    @staticmethod
    def verdict(error, goal, end, failed):
        if error == PlanToImage.Result.NONE:
            return 'solved' if end == goal else 'wrong'
        if failed or None in end:
            return 'failed physically'
        if error in (PlanToImage.Result.START_UNKNOWN, PlanToImage.Result.GOAL_UNKNOWN):
            return 'refused'
        return 'not reached'

    def close(self):
        for process in list(self.processes):
            self.stop(process)


def show(table):
    for name, value in table.items():
        if isinstance(value, dict):
            value = ', '.join(f'{v} {k}' for k, v in value.items())
        print(f'{name:36}{value}')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--mode', choices=list(SKILLS), default='picks')
    p.add_argument('--policy', choices=['random', 'explorer'], default='random')
    p.add_argument('--attempts', type=int, default=2500, help='0: learn from what is there')
    p.add_argument('--pairs', type=int, default=60, help='0: only record')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--keep', default='runs/arm', help='folder for the recording and what is learned')
    p.add_argument('--programs', type=pathlib.Path, default=HERE.parents[1] / 'bin/ros')
    p.add_argument('--assets', default=HERE.parents[1] / '.deps/arm/assets')
    p.add_argument('--learn', nargs='*', default=[], help='further flags of stripswm learn')
    p.add_argument('--json', action='store_true')
    o = p.parse_args()
    if o.attempts and (pathlib.Path(o.keep) / 'bag').exists():
        p.error(f'{o.keep} has a recording: choose another folder, or --attempts 0')
    measurement, table = Measurement(o), {'mode': o.mode, 'seed': o.seed}
    try:
        if o.attempts:
            table |= measurement.record()
        if o.pairs:
            if not (measurement.keep / 'learned/bundle').exists():
                table |= measurement.learn()
            table |= measurement.evaluate()
    finally:
        measurement.close()
    print(json.dumps(table)) if o.json else show(table)


if __name__ == '__main__':
    main()
