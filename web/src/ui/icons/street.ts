/** A filled outline; later ones are in front. */
export interface Shape {
  readonly d: string
  readonly roof?: true
}

/** The y coordinate of the ground. */
const GROUND = 80

/** Distant houses, as one silhouette. */
export const STREET =
  'M4 80V61l13-11 13 11v19zM28 80V49h6v-6h5v6h11v31zM110 80V47l13-11 13 11v33zM133 80V62l11-9 11 9v18z'

const EAVES = 5
const THICKNESS = 4.5

/** Half the width of a house, and the heights of its walls and its ridge. */
interface Measures {
  readonly half: number
  readonly walls: number
  readonly ridge: number
  readonly base?: number
}

/** A roof that projects beyond its walls. */
export function roof(x: number, { half, walls, ridge }: Measures): Shape {
  const end = walls + (EAVES * (walls - ridge)) / half
  const [left, right] = [x - half - EAVES, x + half + EAVES]
  return {
    d: `M${left} ${end}L${x} ${ridge}L${right} ${end}v${THICKNESS}L${x} ${ridge + THICKNESS}L${left} ${end + THICKNESS}z`,
    roof: true,
  }
}

/** A house centred on x. */
export const home = (x: number, measures: Measures): readonly Shape[] => [
  {
    d: `M${x - measures.half} ${measures.base ?? GROUND}V${measures.walls}L${x} ${measures.ridge}l${measures.half} ${measures.walls - measures.ridge}V${measures.base ?? GROUND}`,
  },
  roof(x, measures),
]

/** The house in the middle of most pictures. */
export const HOUSE: Measures = { half: 26, walls: 50, ridge: 26 }

/** A window of four panes centred on x. */
export function panes(x: number, top: number, side = 5): string {
  const gap = 1
  return [x - gap - side, x + gap]
    .flatMap((left) =>
      [top, top + side + 2 * gap].map((y) => `M${left} ${y}h${side}v${side}h${-side}z`),
    )
    .join('')
}

export const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`

export const box = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`
