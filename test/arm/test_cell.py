"""The arm does what its skills say, by contact, and its camera is not perfect."""

import pathlib
import unittest

import numpy as np

import judge
from cell import OBJECTS, Cell, Failed, Refused
from eye import Eye

ASSETS = pathlib.Path(__file__).parents[2] / '.deps/arm/assets'

FINGERS = {'leftfinger': 'left', 'finger_joint1_tip': 'left', 'rightfinger': 'right', 'finger_joint2_tip': 'right'}


class TestCell(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.cell = Cell(ASSETS, 1)

    def setUp(self):
        self.cell.watch = None
        self.cell.reset([0, 1, 2, 3])

    def fingers(self, thing):
        """Which fingers touch an object."""
        data, model, touching = self.cell.data, self.cell.model, set()
        for contact in data.contact:
            names = [model.body(model.geom_bodyid[g]).name for g in (contact.geom1, contact.geom2)]
            if OBJECTS[thing] in names:
                touching |= {side for part, side in FINGERS.items() if part in names}
        return touching

    def test_each_object_is_carried_by_both_fingers(self):
        for thing in range(4):
            with self.subTest(OBJECTS[thing]):
                before, aloft = self.cell.poses(), []
                height = before[OBJECTS[thing]][2]

                def watch():
                    now = self.cell.data.xpos[self.cell.bodies[thing]]
                    if now[2] > height + 0.01:
                        aloft.append((now.copy(), self.fingers(thing)))

                self.cell.watch = watch
                self.cell.pick(thing, thing)
                self.assertEqual(judge.state(self.cell.poses())[thing], 'hand')
                self.cell.place(thing, 5)
                self.assertGreater(len(aloft), 50)
                self.assertTrue(all(touch == {'left', 'right'} for _, touch in aloft[2:-2]), 'carried by something else')
                steps = [np.linalg.norm(b - a) for (a, _), (b, _) in zip(aloft, aloft[1:])]
                self.assertLess(max(steps), 0.05, 'it jumped')
                after = self.cell.poses()
                self.assertEqual(judge.state(after)[thing], 5)
                for other in set(OBJECTS) - {OBJECTS[thing]}:
                    self.assertLess(np.linalg.norm(np.subtract(after[other], before[other])), 0.002, other + ' moved')
                self.cell.watch = None
                self.cell.reset([0, 1, 2, 3])

    def test_move(self):
        self.cell.move(1, 4)
        self.assertEqual(judge.state(self.cell.poses()), (0, 4, 2, 3))

    def test_what_is_impossible_is_refused_and_moves_nothing(self):
        for skill, thing, pad in [('place', 0, 4), ('pick', 0, 4), ('move', 0, 1), ('move', 0, 0)]:
            self.refuses(skill, thing, pad)
        self.cell.pick(0, 0)
        for skill, thing, pad in [('pick', 1, 1), ('place', 1, 4), ('place', 0, 2)]:
            self.refuses(skill, thing, pad)

    def refuses(self, skill, thing, pad):
        before = self.cell.data.qpos.copy()
        with self.assertRaises(Refused, msg=f'{skill} {thing} {pad}'):
            getattr(self.cell, skill)(thing, pad)
        np.testing.assert_array_equal(self.cell.data.qpos, before)

    def test_without_friction_nothing_is_carried(self):
        model, cell = self.cell.model, self.cell
        friction = model.geom_friction.copy()
        model.geom_friction[:] = 1e-3
        try:
            with self.assertRaises(Failed):
                cell.pick(0, 0)
            self.assertLess(cell.data.xpos[cell.bodies[0]][2], 0.03)
        finally:
            model.geom_friction[:] = friction

    def test_what_is_dropped_falls_beside_the_pads(self):
        cell = self.cell
        cell.pick(0, 0)

        def drop():
            if cell.data.site_xpos[cell.site][0] > 0.42:  # on its way to pad 4
                cell.data.ctrl[cell.fingers] = 0.04, -0.04

        cell.watch = drop
        with self.assertRaises(Failed):
            cell.place(0, 4)
        self.assertIsNone(judge.state(self.cell.poses())[0])

    def test_images_are_noisy_and_show_where_things_are(self):
        eye = Eye(self.cell, 160, 120)
        shots = np.array([eye.shoot() for _ in range(60)], dtype=float)
        self.assertGreater(np.diff(shots, axis=0).std(), 2, 'no noise')
        self.assertGreater(shots.mean((1, 2, 3)).std(), 0.5, 'no flicker')
        self.cell.move(0, 5)
        eye.look()
        change = np.abs(np.mean([eye.shoot() for _ in range(20)], 0) - shots.mean(0)).max(-1)
        self.assertGreater((change > 60).sum(), 50, 'it looks as before')


if __name__ == '__main__':
    unittest.main()
