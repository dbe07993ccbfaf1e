import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Hidden, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { countSet, type LimitDraft, setOrChanged } from './limit-draft.ts'
import styles from './limits.module.css'
import { t } from './words.ts'

interface LimitFoldProps<K extends LimitKey> {
  title: string
  keys: readonly K[]
  draft: LimitDraft
  saved: LimitDraft
  errors: Readonly<Record<string, string>>
  columns: readonly Column<K>[]
  /** Shows all limits from the beginning. */
  isOpen: boolean
  /** A limit that must be visible. */
  wanted: LimitKey | undefined
}

/** A group of limits: collapsed, it shows only those that are set, with their count. */
export function LimitFold<K extends LimitKey>(props: LimitFoldProps<K>) {
  const { title, keys, draft, saved, errors, columns, isOpen, wanted } = props
  const [open, setOpen] = useState(isOpen)
  if (wanted !== undefined && !open && keys.some((key) => key === wanted)) setOpen(true)
  const folded = setOrChanged(keys, draft, saved, errors)
  const of = (text: string) => <Hidden>{text}</Hidden>
  const Arrow = open ? ChevronUp : ChevronDown
  return (
    <Card
      title={title}
      flush
      actions={
        <>
          <Text small muted>
            {t.countSet({ set: countSet(draft, keys), all: keys.length })}
          </Text>
          {folded.length === keys.length ? null : (
            <Button
              kind="quiet"
              size="small"
              icon={<Arrow aria-hidden />}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {rich(
                open
                  ? t.hideUnset({ group: title, of })
                  : t.showAll({ all: keys.length, group: title, of }),
              )}
            </Button>
          )}
        </>
      }
    >
      <Table
        label={title}
        rows={open ? keys : folded}
        columns={columns}
        keyOf={(key) => key}
        even
        empty={<p className={styles.none}>{t.noneSet}</p>}
      />
    </Card>
  )
}
