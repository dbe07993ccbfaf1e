import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import styles from './table.module.css'
import { chosen, Line, type RowsProps } from './table-rows.tsx'

/** Until a row is measured. */
const HEIGHT = 44

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
  // Another function would have all rows laid out again.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? index : latest.current(row)
    },
    [rows],
  )
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => HEIGHT,
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
