//! Places and ways in the plane.

pub(super) type Vector = [f64; 2];

/// The way to a place from the nearest point of the segment from `a` to `b`, and how far along the
/// segment that point is, from 0 to 1.
pub(super) fn off(place: Vector, a: Vector, b: Vector) -> (Vector, f64) {
    let (side, way) = (sub(b, a), sub(place, a));
    let square = side[0] * side[0] + side[1] * side[1];
    let share = (side[0] * way[0] + side[1] * way[1]) / square.max(f64::MIN_POSITIVE);
    let share = share.clamp(0.0, 1.0);
    (sub(way, scaled(side, share)), share)
}

pub(super) fn rotated([x, y]: Vector, angle: f64) -> Vector {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn scaled(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by]
}

pub(super) fn norm(a: Vector) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}
