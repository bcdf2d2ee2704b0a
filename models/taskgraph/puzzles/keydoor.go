package puzzles

import "fmt"

// keyDoorRooms are two rooms, the key in the first and the door between them.
var keyDoorRooms = []string{"K.#.", "..D."}

// keyDoor is a state: where the robot stands and faces, and what became of key and door.
type keyDoor struct {
	at     cell
	facing int // of clockwise
	key    bool
	open   bool
}

var clockwise = [...]cell{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}

func (s keyDoor) String() string {
	return fmt.Sprintf("%d%d%c key %s, door %s", s.at.row, s.at.col, "NESW"[s.facing], either(s.key, "held", "lies"), either(s.open, "open", "shut"))
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// KeyDoor is a robot in two rooms that turns left and right, goes forward, picks up the key before it and,
// with the key, opens and shuts the door before it. The key is never laid down.
func KeyDoor() Puzzle {
	start := keyDoor{at: cell{1, 0}, facing: 1}
	known := map[string]keyDoor{start.String(): start} // every state that some word names
	for queue := []keyDoor{start}; len(queue) > 0; queue = queue[1:] {
		for skill := range 5 {
			if next, ok := queue[0].step(skill); ok && known[next.String()] != next {
				known[next.String()] = next
				queue = append(queue, next)
			}
		}
	}
	return Puzzle{
		Name: "key and door", Skills: []string{"left", "right", "forward", "pick_up", "toggle"}, Start: start.String(),
		step: func(state string, skill int) (string, bool) {
			next, ok := known[state].step(skill)
			return next.String(), ok
		},
	}
}

func (s keyDoor) step(skill int) (keyDoor, bool) {
	ahead := s.at.plus(clockwise[s.facing])
	thing := byte('#')
	if ahead.in(len(keyDoorRooms), len(keyDoorRooms[0])) {
		thing = keyDoorRooms[ahead.row][ahead.col]
	}
	switch skill {
	case 0:
		s.facing = (s.facing + 3) % 4
	case 1:
		s.facing = (s.facing + 1) % 4
	case 2:
		s.at = ahead
		return s, thing == '.' || thing == 'K' && s.key || thing == 'D' && s.open
	case 3:
		can := thing == 'K' && !s.key
		s.key = true
		return s, can
	case 4:
		s.open = !s.open
		return s, thing == 'D' && s.key
	}
	return s, true
}
