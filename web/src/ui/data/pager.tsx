import { PAGE_SIZES } from '@lodge/shared/lists/names.ts'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId, useRef } from 'react'
import { Button } from '../buttons/button.tsx'
import { Row, Text } from '../page/layout.tsx'
import styles from './pager.module.css'
import { t } from './words.ts'

type PageSize = (typeof PAGE_SIZES)[number]

interface PagerProps {
  shown: number
  /** Cursor of this page; undefined on the first. */
  after: string | undefined
  next: string | null
  onGo: (after: string | undefined) => void
  /** How many rows a page has, if people choose it. */
  size?: { readonly rows: PageSize; readonly onChange: (rows: PageSize) => void }
}

/** Forward and back through a cursor-paged list. */
export function Pager({ shown, after, next, onGo, size }: PagerProps) {
  // The page before each page that was reached from here; the browser's own history works too.
  const before = useRef(new Map<string, string | undefined>())
  if (after === undefined && next === null && shown <= PAGE_SIZES[0]) return null
  const forward = (): void => {
    if (next === null) return
    before.current.set(next, after)
    onGo(next)
  }
  return (
    <Row between>
      <Text small muted>
        {t.onThisPage({ count: shown, more: next === null ? 'no' : 'yes' })}
      </Text>
      <Row>
        {size ? <Size {...size} /> : null}
        {after === undefined || before.current.get(after) === undefined ? null : (
          <Button size="small" onClick={() => onGo(undefined)}>
            {t.firstPage}
          </Button>
        )}
        <Button
          size="small"
          icon={<ChevronLeft />}
          disabledBecause={after === undefined ? t.isFirstPage : undefined}
          onClick={() => onGo(after === undefined ? undefined : before.current.get(after))}
        >
          {after === undefined || before.current.has(after) ? t.previous : t.firstPage}
        </Button>
        <Button
          size="small"
          disabledBecause={next === null ? t.isLastPage : undefined}
          onClick={forward}
        >
          {t.next} <ChevronRight />
        </Button>
      </Row>
    </Row>
  )
}

function Size({ rows, onChange }: NonNullable<PagerProps['size']>) {
  const id = useId()
  return (
    <label htmlFor={id} className={styles.size}>
      {t.rows}
      <select
        id={id}
        value={rows}
        onChange={({ currentTarget }) => {
          const chosen = PAGE_SIZES.find((one) => String(one) === currentTarget.value)
          if (chosen !== undefined) onChange(chosen)
        }}
      >
        {PAGE_SIZES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}
