const GAP = 6
const EDGE = 8

interface DesiredState {
  /** The preferred side; the other one is used when there is no room. */
  readonly side: 'above' | 'below'
  /** The alignment along that side: centred, or flush with the end. */
  readonly align: 'middle' | 'end'
}

/** Positions a fixed element beside another one, always inside the window. */
export function placeBeside(
  element: HTMLElement,
  anchor: Element,
  { side, align }: DesiredState,
): void {
  const { left, right, top: edge, bottom, width } = anchor.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = element
  const wanted = align === 'end' ? right - offsetWidth : left + width / 2 - offsetWidth / 2
  const above = edge - offsetHeight - GAP
  const below = bottom + GAP
  const fitsBelow = below + offsetHeight <= innerHeight - EDGE
  const up = side === 'above' ? above >= EDGE : !fitsBelow && above >= EDGE
  element.style.left = `${Math.max(EDGE, Math.min(wanted, innerWidth - offsetWidth - EDGE))}px`
  const top = Math.min(up ? above : below, innerHeight - offsetHeight - EDGE)
  element.style.top = `${Math.max(EDGE, top)}px`
}
