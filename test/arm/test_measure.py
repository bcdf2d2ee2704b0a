"""How goals are judged, and which are asked."""

import argparse
import pathlib
import random
import tempfile
import unittest

from strips_wm_msgs.action import PlanToImage

import judge
import measure
from skills import SKILLS, applies, follows, states

RESULT = PlanToImage.Result


class TestMeasure(unittest.TestCase):

    def test_verdict(self):
        goal, other, fallen = (0, 1, 2, 3), (4, 1, 2, 3), (None, 1, 2, 3)
        for error, end, failed, want in [
            (RESULT.NONE, goal, False, 'solved'),
            (RESULT.NONE, goal, True, 'solved'),
            (RESULT.NONE, other, False, 'wrong'),
            (RESULT.NONE, fallen, True, 'wrong'),
            (RESULT.START_UNKNOWN, fallen, False, 'failed physically'),
            (RESULT.SKILL_FAILED, other, True, 'failed physically'),
            (RESULT.START_UNKNOWN, other, False, 'refused'),
            (RESULT.GOAL_UNKNOWN, other, False, 'refused'),
            (RESULT.UNSOLVABLE, other, False, 'not reached'),
        ]:
            self.assertEqual(measure.Measurement.verdict(error, goal, end, failed), want, (error, end, failed))

    def test_judge(self):
        table = {'red': (0.42, -0.18, 0.02), 'blue': (0.3, 0, 0.62), 'yellow': (0.58, 0.2, 0.02), 'green': (0.5, 0, 0.03)}
        self.assertEqual(judge.state(table), (0, 'hand', 5, None))

    def test_states_are_those_that_skills_reach(self):
        for mode, count in ('picks', 840), ('moves', 360):
            reached = set(states(mode))
            self.assertEqual(len(reached), count)
            for state in reached:
                for kind, thing, pad in SKILLS[mode]:
                    if applies((kind, thing, pad), state):
                        self.assertIn(follows((kind, thing, pad), state), reached)

    def test_half_of_the_pairs_were_never_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            seen = random.Random(1).sample(sorted(states('moves')), 200)
            m = measure.Measurement.__new__(measure.Measurement)  # without an arm
            m.o, m.keep, m.random = argparse.Namespace(mode='moves', pairs=60), pathlib.Path(folder), random.Random(2)
            names = [' '.join(map(str, state)) for state in seen]
            (m.keep / 'truth.csv').write_text('before,action,after,outcome,note\n' + ''.join(f'{n},1,{n},1,\n' for n in names))
            pairs = list(m.pairs())
            self.assertEqual([new for _, _, new in pairs], [False] * 30 + [True] * 30)
            for start, goal, new in pairs:
                self.assertNotEqual(start, goal)
                self.assertEqual([s in seen for s in (start, goal)], [not new] * 2)
            self.assertEqual(m.unrecorded, 160)


if __name__ == '__main__':
    unittest.main()
