import type uPlot from 'uplot'
import type { ChartGap, ChartMark } from './chart-data.ts'

const FONT_PX = 12

/** The value of a token of the theme, for the canvas, which knows no CSS variables. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--l-${name}`).trim()

/** The typeface of the panel at a size in canvas pixels. */
const typeface = (px: number): string => `${px}px ${token('font')}`
export const AXIS_FONT = (): string => typeface(FONT_PX)

const onCanvas = (plot: uPlot, draw: (context: CanvasRenderingContext2D) => void): void => {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  draw(ctx)
  ctx.restore()
}

/** Left and right edge of a gap on the canvas, as far as it is shown. */
function edgesOf(plot: uPlot, { from, to }: ChartGap): readonly [start: number, end: number] {
  const { left, width } = plot.bbox
  const start = Math.max(left, plot.valToPos(from, 'x', true))
  return [start, Math.max(start, Math.min(left + width, plot.valToPos(to, 'x', true)))]
}

/** Shades the times without data. */
export function drawGaps(plot: uPlot, gaps: readonly ChartGap[]): void {
  onCanvas(plot, (context) => {
    const { top, height } = plot.bbox
    context.fillStyle = token('fill')
    for (const gap of gaps) {
      const [start, end] = edgesOf(plot, gap)
      context.fillRect(start, top, end - start, height)
    }
  })
}

interface Written {
  readonly text: string
  readonly at: readonly [x: number, y: number]
  /** Tokens of the text and its background, which covers the lines behind it. */
  readonly colours: readonly [text: string, ground: string]
}

function write(context: CanvasRenderingContext2D, { text, at: [x, y], colours }: Written): void {
  const [colour, ground] = colours
  context.setLineDash([])
  context.lineJoin = 'round'
  context.lineWidth = 6 * devicePixelRatio
  context.strokeStyle = token(ground)
  context.strokeText(text, x, y)
  context.fillStyle = token(colour)
  context.fillText(text, x, y)
}

/** Writes why there is no data, where there is room. */
export function writeGaps(plot: uPlot, gaps: readonly ChartGap[]): void {
  onCanvas(plot, (context) => {
    const { top, height } = plot.bbox
    context.font = typeface(FONT_PX * devicePixelRatio)
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    for (const gap of gaps) {
      const [start, end] = edgesOf(plot, gap)
      if (context.measureText(gap.words).width + 16 * devicePixelRatio > end - start) continue
      const at = [(start + end) / 2, top + height / 2] as const
      write(context, { text: gap.words, at, colours: ['text-3', 'fill'] })
    }
  })
}

function dashedLine(
  context: CanvasRenderingContext2D,
  colour: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
): void {
  context.strokeStyle = colour
  context.lineWidth = devicePixelRatio
  context.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}

/** A dashed line labelled with its name: a fact, not an alarm. */
export function drawLimit(
  plot: uPlot,
  { limit, name, gaps }: { limit: number; name: string; gaps: readonly ChartGap[] },
): void {
  onCanvas(plot, (context) => {
    const { left, width } = plot.bbox
    const y = plot.valToPos(limit, 'y', true)
    const isShaded = gaps.some((gap) => edgesOf(plot, gap)[1] >= left + width - devicePixelRatio)
    dashedLine(context, token('text-3'), [left, y, left + width, y])
    context.font = typeface(FONT_PX * devicePixelRatio)
    context.textAlign = 'right'
    context.textBaseline = 'bottom'
    const at = [left + width - 4 * devicePixelRatio, y - 4 * devicePixelRatio] as const
    write(context, { text: name, at, colours: ['text-2', isShaded ? 'fill' : 'surface'] })
  })
}

/** A thin line at each event; the button above the charts explains it. */
export function drawMarks(plot: uPlot, marks: readonly ChartMark[]): void {
  onCanvas(plot, (context) => {
    const { top, height } = plot.bbox
    for (const { at, tone } of marks) {
      const x = Math.round(plot.valToPos(at, 'x', true))
      dashedLine(context, token(tone === 'err' ? 'err' : 'line-control'), [x, top, x, top + height])
    }
  })
}
