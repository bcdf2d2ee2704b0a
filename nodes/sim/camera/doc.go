// Package camera takes pictures of the worlds of package sim: a small ray-caster, and a
// painter for the flat ones.
//
// A [Camera] asks the world for the scene of a state, with the nuisance that a seed draws, and
// [Camera.Render] draws it. First the light map: which parts of the lamp and of the room each spot of
// the table sees, so that shadows are soft. Then one ray a pixel, against the table and the bodies
// whose bounding box is seen there: boxes and cylinders by formula, other shapes by walking along
// the ray as far as their distance field allows. Where neighbouring pixels show different things, more
// rays smooth the border. Last the sensor: exposure, white balance, noise, motion blur, JPEG.
//
// A scene that is a flat [scene.Sheet] is painted, mark by mark, in place of all that comes before the sensor.
package camera
