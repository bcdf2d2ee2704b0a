"""The skills by their ids, which begin at 1, and the states that they lead to."""

import itertools

from judge import MIDDLES, NAMES

PADS = range(len(MIDDLES))
SKILLS = {mode: [(kind, thing, pad) for kind in kinds for thing in range(len(NAMES)) for pad in PADS]
          for mode, kinds in {'picks': ('pick', 'place'), 'moves': ('move',)}.items()}


def applies(skill, state):
    kind, thing, pad = skill
    if kind == 'pick':
        return 'hand' not in state and state[thing] == pad
    return pad not in state and (kind == 'move' or state[thing] == 'hand')


def follows(skill, state):
    """The state that a skill leads to from one in which it applies."""
    kind, thing, pad = skill
    return state[:thing] + ('hand' if kind == 'pick' else pad,) + state[thing + 1:]


def states(mode):
    """Every state that the skills can reach."""
    for pads in itertools.permutations(PADS, len(NAMES)):
        yield pads
    if mode == 'picks':
        for i, pads in itertools.product(range(len(NAMES)), itertools.permutations(PADS, len(NAMES) - 1)):
            yield pads[:i] + ('hand',) + pads[i:]


def attempt(mode, state, random):
    """The id of a skill to attempt, nine in ten times one that applies."""
    possible = [k for k, skill in enumerate(SKILLS[mode], 1) if applies(skill, state)]
    return random.choice(possible) if random.random() < 0.9 else random.randint(1, len(SKILLS[mode]))


def arrange(state, random, put, pick):
    """Brings a scene into a state: what is in the hand is put on a free pad, and picked."""
    pads = list(state)
    if 'hand' in state:
        held = state.index('hand')
        pads[held] = random.choice([p for p in PADS if p not in state])
    put(pads)
    if 'hand' in state:
        pick(held, pads[held])
