package sim

import (
	"fmt"
	"math"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// The depot's size.
const (
	depotSites   = 5
	depotTrucks  = 2
	depotParcels = 3
)

// The depot has two trucks that drive between five sites, load the parcels that lie where they
// stand, and unload them. A truck has room for all parcels. A parcel in a truck is at depotSites or
// more.
func init() {
	define("depot", definition{
		dataset: Dataset{States: 200, Actions: 100, Transitions: 12000},
		rules: func() *worlds.World {
			return worlds.Vehicles(depotTrucks, depotSites, depotParcels).From("vehicle_0_0",
				"vehicle_1_3", "parcel_0_1", "parcel_1_2", "parcel_2_4")
		},
		variables: append(variables(depotTrucks, depotSites, "vehicle"),
			each(depotParcels, func(p int) []string {
				return append(facts(depotSites, fmt.Sprint("parcel_", p)),
					facts(depotTrucks, fmt.Sprint("in_", p))...)
			})...),
		describe: func(w word) string {
			return strings.Join(each(len(w), func(k int) string {
				switch p := k - depotTrucks; {
				case p < 0:
					return fmt.Sprintf("truck %d at site %d", k, w[k])
				case w[k] >= depotSites:
					return fmt.Sprintf("parcel %d in truck %d", p, w[k]-depotSites)
				default:
					return fmt.Sprintf("parcel %d at site %d", p, w[k])
				}
			}), ", ")
		},
		scene: depotScene,
	})
}

var (
	lawn      = scene.RGB(116, 142, 92)
	asphalt   = scene.Paint{Color: scene.RGB(92, 92, 96)}
	yard      = scene.Paint{Color: scene.RGB(168, 164, 156)}
	kerb      = scene.Paint{Color: scene.RGB(208, 206, 200)}
	tyre      = scene.Paint{Color: scene.RGB(26, 26, 28)}
	truckBody = [depotTrucks]scene.Paint{{Color: scene.RGB(38, 78, 168)},
		{Color: scene.RGB(214, 120, 24)}}
	truckBed = scene.Paint{Color: scene.RGB(222, 222, 218)}
	parcel   = [depotParcels]scene.Paint{{Color: scene.RGB(198, 28, 36)},
		{Color: scene.RGB(18, 128, 62)}, {Color: scene.RGB(124, 40, 150)}}
	parcelTape = scene.Paint{Color: scene.RGB(238, 214, 150)}
)

// siteMiddle returns where a site is: three above, two below.
func siteMiddle(site int8) scene.Vec {
	if site < 3 {
		return scene.Vec{X: 0.66 * (float64(site) - 1), Y: 0.5}
	}
	return scene.Vec{X: 0.8 * (float64(site) - 3.5), Y: -0.5}
}

// depotScene shows the depot from above. The nuisance: how the camera looks at it, how each truck
// and each parcel stands, the light and where it comes from, the sensor.
func depotScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	sheet := &scene.Sheet{Ground: lawn, Marks: depotGround()}
	var stand [depotTrucks]scene.Vec
	for t, at := range w[:depotTrucks] {
		stand[t] = siteMiddle(at).Add(scene.Vec{X: 0.28*float64(t) - 0.14 + j.Shift(0.02),
			Y: -0.11 + j.Shift(0.02)})
		sheet.Marks = append(sheet.Marks,
			scene.Thing(t+1, truck(stand[t], j.Shift(0.08), truckBody[t])...)...)
	}
	for p, at := range w[depotTrucks:] {
		play, turn := scene.Vec{X: j.Shift(0.015), Y: j.Shift(0.015)}, j.Shift(0.3)
		place := scene.Vec{Y: 0.085 * (1 - float64(p))}
		if at >= depotSites {
			place = place.Add(stand[at-depotSites]).Add(scene.Vec{Y: -0.05})
		} else {
			place = siteMiddle(at).Add(scene.Vec{X: 0.19 * (float64(p) - 1), Y: 0.21})
		}
		sheet.Marks = append(sheet.Marks, scene.Thing(depotTrucks+p+1,
			scene.Group(place.Add(play), turn,
				rect(scene.Vec{}, 0.07, 0.045, 0.01, parcel[p]),
				rect(scene.Vec{}, 0.012, 0.045, 0, parcelTape))...)...)
	}
	view(sheet, j, 0.03, 0.015)
	sheet.Shade = scene.Vec{X: j.Uniform(0.2), Y: j.Uniform(0.2)}
	return &scene.Scene{Sheet: sheet, Sensor: webcam(j)}, nil
}

// depotGround are the roads between all sites, and the sites' yards.
func depotGround() (marks []scene.Mark) {
	for a := range int8(depotSites) {
		for b := range a {
			from, to := siteMiddle(a), siteMiddle(b)
			along := to.Sub(from)
			marks = append(marks, scene.Mark{Figure: scene.Rect{HalfX: along.Len() / 2, HalfY: 0.06},
				At: from.Mix(to, 0.5), Turn: math.Atan2(along.Y, along.X), Paint: asphalt})
		}
	}
	for site := range int8(depotSites) {
		marks = append(marks,
			rect(siteMiddle(site), 0.31, 0.33, 0.06, kerb),
			rect(siteMiddle(site), 0.295, 0.315, 0.05, yard))
	}
	return marks
}

// truck is a cab, a bed and wheels; it looks up.
func truck(at scene.Vec, turn float64, body scene.Paint) []scene.Mark {
	return scene.Group(at, turn,
		rect(scene.Vec{Y: 0.1}, 0.115, 0.03, 0, tyre),
		rect(scene.Vec{Y: -0.12}, 0.115, 0.03, 0, tyre),
		rect(scene.Vec{}, 0.1, 0.18, 0.02, body),
		rect(scene.Vec{Y: -0.045}, 0.085, 0.125, 0.01, truckBed),
	)
}
