#!/usr/bin/env python3
"""Films the arm while it executes a plan between two images, as the README shows it.

    .deps/arm/bin/python test/arm/film.py --bundle runs/arm/learned/bundle --out test/results/arm/plan.webp
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

from PIL import Image, ImageDraw

import judge
from cell import STEP, TICK, Cell
from eye import Eye
from judge import NAMES
from skills import SKILLS

ROOT = pathlib.Path(__file__).parents[2]
START, GOAL = (0, 1, 2, 4), (1, 0, 5, 3)  # red and blue change places
EVERY = 8  # ticks from a frame to the next


class Film:

    def __init__(self, o):
        self.o, self.frames, self.ticks, self.caption = o, [], 0, ''
        self.cell = Cell(o.assets, o.seed)
        self.camera, self.visitor = Eye(self.cell, 160, 120), Eye(self.cell, 400, 300, 'visitor', fine=True)
        self.goal = self.show(GOAL)
        self.start = self.show(START)

    def show(self, pads):
        self.cell.reset(pads)
        self.camera.look()
        return Image.fromarray(self.camera.shoot())

    def plan(self):
        """Action ids from the image of the start to that of the goal."""
        with tempfile.TemporaryDirectory() as folder:
            for name, image in ('start', self.start), ('goal', self.goal):
                image.save(f'{folder}/{name}.png')
            out = subprocess.run([self.o.stripswm, 'plan', '--quiet', '--json', '--bundle', self.o.bundle, '--start', f'{folder}/start.png',
                                  '--goal', f'{folder}/goal.png'], stdout=subprocess.PIPE, check=True).stdout
        return json.loads(out)['plan']

    def tick(self):
        self.ticks += 1
        if self.ticks % EVERY == 0:
            self.shoot()

    def shoot(self):
        frame = Image.new('RGB', (580, 300), (24, 24, 28))
        frame.paste(Image.fromarray(self.visitor.look().astype('uint8')))
        self.camera.look()
        draw = ImageDraw.Draw(frame)
        for y, image, text in (14, Image.fromarray(self.camera.shoot()), 'what the planner sees'), (164, self.goal, 'goal image'):
            draw.text((410, y), text, fill='white')
            frame.paste(image, (410, y + 14))
        draw.text((10, 280), self.caption, fill='white')
        self.frames.append(frame)

    def run(self):
        actions = self.plan()
        self.cell.watch = self.tick
        for i, action in enumerate(actions, 1):
            kind, thing, pad = SKILLS[self.o.mode][action - 1]
            self.caption = f'{i} of {len(actions)}: skill {action} ({kind} {NAMES[thing]}, pad {pad})'
            getattr(self.cell, kind)(thing, pad)
        self.caption = 'the goal is reached' if judge.state(self.cell.poses()) == GOAL else 'the goal is not reached'
        self.shoot()
        ms = round(1000 * EVERY * TICK * STEP / self.o.speed)
        self.frames[0].save(self.o.out, save_all=True, append_images=self.frames[1:], loop=0, quality=self.o.quality, method=6,
                            duration=[ms] * (len(self.frames) - 1) + [3000])
        print(f'{self.o.out}: {len(actions)} skills, {len(self.frames)} frames, {pathlib.Path(self.o.out).stat().st_size} bytes')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--bundle', required=True)
    p.add_argument('--out', required=True, help='.webp or .gif')
    p.add_argument('--mode', choices=list(SKILLS), default='picks')
    p.add_argument('--seed', type=int, default=7)
    p.add_argument('--speed', type=float, default=2.0, help='times as fast as the arm')
    p.add_argument('--quality', type=int, default=60)
    p.add_argument('--stripswm', default=ROOT / 'bin/stripswm')
    p.add_argument('--assets', default=ROOT / '.deps/arm/assets')
    Film(p.parse_args()).run()


if __name__ == '__main__':
    main()
