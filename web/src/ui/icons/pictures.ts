import type { ArtName } from './art-names.ts'
import { box, disc, HOUSE, home, panes, roof, type Shape, STREET } from './street.ts'

interface Picture {
  /** The silhouette in the background. */
  readonly far: string
  /** The shapes in front, from back to front. */
  readonly shapes: readonly Shape[]
  readonly lines: string
  /** What does not exist yet, as dashed lines. */
  readonly planned: string
  readonly lit: string
}

const picture = (given: Partial<Picture> & Pick<Picture, 'lit'>): Picture => ({
  far: STREET,
  shapes: home(80, HOUSE),
  lines: '',
  planned: '',
  ...given,
})

const SMALL = { half: 16, walls: 58, ridge: 43 }
const LEFT = home(62, HOUSE)
const WINDOW = panes(80, 57)
/** Unlit windows are outlined, not filled. */
const dark = (x: number, top = 57): Shape => ({ d: panes(x, top) })
const person = (x: number): readonly Shape[] => [
  { d: `M${x - 8.5} 80v-4a8.5 8.5 0 0 1 17 0v4` },
  { d: disc(x, 60.5, 4.5) },
]
const pole = (x: number): readonly Shape[] => [
  { d: `M${x - 2} 80V28h4v52` },
  { d: box(x - 13, 33, 26, 3.5) },
]
const SHACKLE = 'M69 60v-8a11 11 0 0 1 22 0v8h-4.500v-8a6.5 6.5 0 0 0-13 0v8z'

/** One street on a grid of 160 by 88: distant houses, one thing in front, and a light. */
export const PICTURES: Readonly<Record<ArtName, Picture>> = {
  bell: picture({
    shapes: [
      { d: box(53, 34, 4, 46) },
      { d: box(103, 34, 4, 46) },
      roof(80, { half: 30, walls: 36, ridge: 14 }),
      { d: 'M60 67c5-4 6-9 6-16a14 14 0 0 1 28 0c0 7 1 12 6 16z' },
    ],
    lines: 'M80 37v-8',
    lit: 'M75 70h10a5 5 0 0 1-10 0z',
  }),
  calm: picture({
    shapes: [...LEFT, dark(62), { d: box(115, 64, 3, 16) }, { d: disc(116.5, 55, 12) }],
    lines: 'M116.5 64v-7M116.5 62l4-4',
    lit: disc(104, 22, 8),
  }),
  copies: picture({
    shapes: [
      ...home(108, { half: 20, walls: 54, ridge: 36 }),
      ...home(92, { half: 22, walls: 52, ridge: 32 }),
      ...home(72, { half: 25, walls: 50, ridge: 27 }),
    ],
    lit: panes(72, 57),
  }),
  disc: picture({
    shapes: [...LEFT, dark(56), { d: disc(106, 58, 22) }, { d: disc(106, 58, 7) }],
    lines: 'M91.5 58a14.5 14.5 0 0 1 14.5-14.500M120.5 58a14.5 14.5 0 0 1-14.5 14.5',
    lit: disc(106, 58, 3),
  }),
  done: picture({
    shapes: [
      { d: 'M97 50V24h8v26' },
      ...home(80, { ...HOUSE, half: 30, ridge: 24 }),
      { d: 'M75 80V65h10v15' },
    ],
    lines: 'M101 19c-5-5 5-7 0-13',
    lit: `${panes(63, 57)}${panes(97, 57)}${panes(80, 43, 4)}`,
  }),
  error: picture({
    shapes: [
      { d: 'M54 80V50l7-5 4 4 5-7 6 5 5-4 6 6 5-5 6 6 8-2v32' },
      { d: 'M43.4 42.300L81.3 16.9 103.5 56.700l-1.1 4.400L80.2 21.3 42.3 46.700z', roof: true },
    ],
    lit: panes(80, 59),
  }),
  house: picture({ lit: WINDOW }),
  jobs: picture({
    shapes: [
      { d: 'M52 80V54h48v26' },
      { d: box(122, 12, 5, 68) },
      { d: box(62, 12, 78, 5) },
      { d: box(132, 17, 8, 9) },
    ],
    lines: 'M76 17v8',
    planned: 'M47 58l29-26 29 26',
    lit: `${box(70, 25, 12, 7)}${panes(76, 60)}`,
  }),
  key: picture({
    shapes: [
      ...LEFT,
      { d: 'M112 54h5v26h-5zM117 66h6v4h-6zM117 74h4v4h-4z' },
      { d: disc(114.5, 46, 11) },
      { d: disc(114.5, 46, 4) },
    ],
    lit: panes(62, 57),
  }),
  locked: picture({
    shapes: [
      ...home(80, { half: 34, walls: 48, ridge: 18 }),
      { d: SHACKLE },
      { d: 'M66 58h28a2 2 0 0 1 2 2v20H64V60a2 2 0 0 1 2-2z' },
    ],
    lit: `${disc(80, 66, 3)}${box(78.5, 67, 3, 7)}`,
  }),
  mail: picture({
    shapes: [
      ...LEFT,
      dark(62),
      { d: box(115, 64, 4, 16) },
      { d: 'M104 64V54a7 7 0 0 1 7-7h14a7 7 0 0 1 7 7v10z' },
      { d: 'M104 64V54a7 7 0 0 1 14 0v10z' },
    ],
    lines: 'M108.5 55h5',
    lit: 'M124 54V40h9v6h-6v8z',
  }),
  missing: picture({
    far: 'M54 80V64l10-8 10 8v16zM88 80V60h18v20z',
    shapes: [
      ...home(26, SMALL),
      ...home(134, SMALL),
      dark(134, 62),
      { d: box(78, 60, 4, 20) },
      { d: box(65, 38, 30, 24) },
    ],
    lines: 'M76.5 47a3.6 3.6 0 1 1 5.3 3.200c-1.2.7-1.8 1.4-1.8 2.800M80 56.800v.1',
    lit: panes(26, 62, 4),
  }),
  network: picture({
    far: 'M56 80V66l10-8 10 8v14zM88 80V62h16v18z',
    shapes: [...home(30, SMALL), ...home(130, SMALL), ...pole(80)],
    lines: 'M68 36.500c-3 8-18 13-27 14M92 36.500c3 8 18 13 27 14',
    lit: `${panes(30, 62, 4)}${panes(130, 62, 4)}`,
  }),
  nodes: picture({
    shapes: [
      ...home(80, { half: 24, walls: 32, ridge: 12 }),
      { d: box(62, 37, 36, 10) },
      { d: box(62, 50, 36, 10) },
      { d: box(62, 63, 36, 10) },
    ],
    lines: 'M67 42h10M67 55h10M67 68h10',
    lit: `${box(88, 40, 5, 4)}${box(88, 53, 5, 4)}${box(88, 66, 5, 4)}`,
  }),
  offline: picture({
    shapes: [...LEFT, dark(62), ...pole(126)],
    lines: 'M92 52c3 5 8 6 9 15M114 36.500c0 7-3 11-8 14',
    lit: 'M36 10a11 11 0 1 0 11 14 9 9 0 0 1-11-14z',
  }),
  people: picture({
    shapes: [...home(80, HOUSE), ...person(41), ...person(119)],
    lit: WINDOW,
  }),
  plans: picture({
    far: '',
    shapes: [
      ...home(26, { half: 12, walls: 64, ridge: 53 }),
      ...home(68, { half: 17, walls: 57, ridge: 41 }),
      ...home(122, { half: 23, walls: 49, ridge: 27 }),
      { d: panes(26, 66, 3) },
      dark(122, 57),
    ],
    lit: panes(68, 61, 4),
  }),
  search: picture({
    shapes: [
      { d: 'M95 65l4-4 15 15-4 4z' },
      { d: disc(80, 44, 25) },
      ...home(80, { half: 11, walls: 44, ridge: 34, base: 57 }),
    ],
    lines: 'M64 57h32',
    lit: panes(80, 46, 2.5),
  }),
  servers: picture({
    shapes: [
      ...home(50, { half: 15, walls: 58, ridge: 44 }),
      ...home(110, { half: 15, walls: 58, ridge: 44 }),
      dark(50, 63),
      dark(110, 63),
      ...home(80, { half: 18, walls: 46, ridge: 29 }),
    ],
    lit: panes(80, 53),
  }),
  story: picture({
    shapes: [
      { d: box(52, 36, 4, 44) },
      { d: box(104, 36, 4, 44) },
      { d: box(46, 34, 68, 32) },
      roof(80, { half: 36, walls: 32, ridge: 16 }),
    ],
    lines: 'M54 43h30M54 50h22M54 57h26',
    lit: box(92, 43, 14, 14),
  }),
  templates: picture({
    shapes: [],
    planned: 'M54 80V48L80 26l26 22v32M46 55l34-29 34 29M73 80V64h14v16',
    lit: panes(80, 46, 4),
  }),
}
