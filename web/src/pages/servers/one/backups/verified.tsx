import type { Backup } from '@lodge/shared/backups.ts'
import type { ReactNode } from 'react'
import { why } from '../../../../panel/said.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { t } from './words.ts'

/** When a complete backup was last read back, and whether it was whole. */
export function Verified({ backup, full = false }: { backup: Backup; full?: boolean }) {
  const { state, damaged, verifiedAt } = backup
  if (state !== 'good') return null
  const at = damaged?.at ?? verifiedAt
  if (at === null) return full ? <Note>{t.neverVerified}</Note> : null
  const when = () => <Ago at={at} />
  if (!damaged) return <Note>{rich(t.verified({ when }))}</Note>
  return full ? (
    <Text small>{rich(t.foundDamaged({ when, reason: why(damaged.detail) ?? '' }))}</Text>
  ) : (
    <Note>{rich(t.found({ when }))}</Note>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <Text small muted>
    {children}
  </Text>
)
