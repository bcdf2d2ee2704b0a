"""What is true of the cell: from poses alone, with no code of the arm's or of what learns."""

import math

NAMES = 'red', 'blue', 'yellow', 'green'
MIDDLES = [(0.42, -0.18), (0.42, 0.0), (0.42, 0.18), (0.58, -0.18), (0.58, 0.0), (0.58, 0.18)]


def state(objects):
    """For each object a pad's number, "hand", or None if it is neither on a pad nor in the air."""
    return tuple(place(*objects[name]) for name in NAMES)


def place(x, y, z):
    distances = [math.dist((x, y), middle) for middle in MIDDLES]
    nearest = min(range(len(MIDDLES)), key=distances.__getitem__)
    return 'hand' if z > 0.3 else nearest if z < 0.045 and distances[nearest] < 0.03 else None
