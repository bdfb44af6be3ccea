// Small pictures for the cards of the games that are shown first. They are ornament: what a game
// looks like is for the server to say.

const cell = (x, y, size = 14) => [
  "rect",
  { x, y, width: size, height: size, rx: 2, class: "soft" },
];
const disc = (cx, cy, r, type) => ["circle", { cx, cy, r, class: type }];
const way = (d) => ["path", { d, class: "way" }];

const six = (x, y, type) => [
  "polygon",
  {
    class: type,
    points: [0, 1, 2, 3, 4, 5]
      .map((k) => `${x + 9 * Math.sin((k * Math.PI) / 3)},${y - 9 * Math.cos((k * Math.PI) / 3)}`)
      .join(" "),
  },
];

export const ICONS = {
  isolation: [
    cell(1, 1),
    cell(17, 1),
    cell(33, 1),
    cell(1, 17),
    cell(33, 17),
    cell(17, 33),
    cell(33, 33),
    disc(8, 24, 5, "one"),
    disc(40, 8, 5, "two"),
  ],
  "black-hole": [
    ["rect", { x: 1, y: 1, width: 46, height: 46, rx: 4, class: "soft" }],
    disc(24, 24, 7, "hole"),
    disc(9, 9, 4.5, "one"),
    disc(39, 39, 4.5, "two"),
    way("M14 14l5 5M19 15v4h-4"),
  ],
  cruzados: [
    cell(2, 2, 21),
    cell(25, 2, 21),
    cell(2, 25, 21),
    cell(25, 25, 21),
    disc(12.5, 35.5, 6, "one"),
    disc(35.5, 12.5, 6, "two"),
    way("M19 29l9-9M22 20h6v6"),
  ],
  cycles: [
    way("M12 36 24 12l12 24zM20 36h-3l3-4M28 19l2 4-4 0"),
    disc(24, 10, 5, "soft"),
    disc(10, 38, 5, "soft"),
    disc(38, 38, 5, "soft"),
  ],
  "dark-hex": [
    six(9, 11, "soft"),
    six(25, 11, "one"),
    six(17, 25, "veil"),
    six(33, 25, "two"),
    six(25, 39, "veil"),
    six(41, 39, "soft"),
  ],
};
