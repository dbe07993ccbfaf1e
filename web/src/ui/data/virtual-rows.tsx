import { measureElement, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import styles from './table.module.css'
import { chosen, Line, type RowsProps } from './table-rows.tsx'

/** Estimated height until a row is measured. */
const HEIGHT = 44

/**
 * The most common height of the measured rows. As the estimate for the others, it keeps positions
 * stable when somebody jumps elsewhere, instead of laying out all rows again.
 */
function useUsualHeight() {
  const usual = useRef(HEIGHT)
  const counts = useRef(new Map<number, number>())
  const measure = useCallback(
    (
      row: HTMLTableRowElement,
      entry: ResizeObserverEntry | undefined,
      virtualizer: Virtualizer<Window, HTMLTableRowElement>,
    ): number => {
      const height = measureElement(row, entry, virtualizer)
      const count = (counts.current.get(height) ?? 0) + 1
      counts.current.set(height, count)
      if (count > (counts.current.get(usual.current) ?? 0)) usual.current = height
      return height
    },
    [],
  )
  return { estimate: useCallback(() => usual.current, []), measure }
}

/** The rows near the window; two empty rows are as high as all others. */
export default function VirtualRows<T>({ rows, columns, keyOf, choosing }: RowsProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void =>
      setScrollMargin((body.current?.getBoundingClientRect().top ?? 0) + scrollY)
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  const latest = useRef(keyOf)
  latest.current = keyOf
  // A new function would cause all rows to be laid out again.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? index : latest.current(row)
    },
    [rows],
  )
  const { estimate, measure } = useUsualHeight()
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: estimate,
    measureElement: measure,
    overscan: 4,
    scrollMargin,
    getItemKey,
  })
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
  return (
    <tbody ref={body}>
      <Gap height={before} />
      {items.map(({ index }) => {
        const row = rows[index]
        if (row === undefined) return null
        const id = keyOf(row)
        return (
          <Line
            key={id}
            row={row}
            columns={columns}
            {...chosen(id, choosing)}
            index={index}
            measure={virtualizer.measureElement}
          />
        )
      })}
      <Gap height={after} />
    </tbody>
  )
}

const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.gap} style={{ height: Math.max(0, height) }} />
)
