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

/** Shades the times without data and says why, where there is room for it. */
export function drawGaps(plot: uPlot, gaps: readonly ChartGap[]): void {
  onCanvas(plot, (context) => {
    const { left, top, width, height } = plot.bbox
    context.font = typeface(FONT_PX * devicePixelRatio)
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    for (const { from, to, words } of gaps) {
      const start = Math.max(left, plot.valToPos(from, 'x', true))
      const end = Math.min(left + width, plot.valToPos(to, 'x', true))
      if (end <= start) continue
      context.fillStyle = token('fill')
      context.fillRect(start, top, end - start, height)
      if (context.measureText(words).width + 16 * devicePixelRatio > end - start) continue
      context.fillStyle = token('text-3')
      context.fillText(words, (start + end) / 2, top + height / 2)
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

/** A dashed line with the word beside it: a fact, not an alarm. */
export function drawLimit(plot: uPlot, limit: number, name: string): void {
  onCanvas(plot, (context) => {
    const { left, width } = plot.bbox
    const y = plot.valToPos(limit, 'y', true)
    dashedLine(context, token('text-3'), [left, y, left + width, y])
    context.font = typeface(FONT_PX * devicePixelRatio)
    context.textAlign = 'right'
    context.textBaseline = 'bottom'
    context.fillStyle = token('text-2')
    context.fillText(name, left + width - 4 * devicePixelRatio, y - 2 * devicePixelRatio)
  })
}

/** A thin line at each event; what it is says the button above the charts. */
export function drawMarks(plot: uPlot, marks: readonly ChartMark[]): void {
  onCanvas(plot, (context) => {
    const { top, height } = plot.bbox
    for (const { at, tone } of marks) {
      const x = Math.round(plot.valToPos(at, 'x', true))
      dashedLine(context, token(tone === 'err' ? 'err' : 'line-control'), [x, top, x, top + height])
    }
  })
}
