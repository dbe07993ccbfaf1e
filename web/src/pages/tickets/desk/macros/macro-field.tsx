import type { Macro } from '@lodge/shared/support/macros.ts'
import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { brandName } from '../../../../brand.ts'
import { q } from '../../../../query.ts'
import { useMe } from '../../../../session/session.ts'
import { FindField } from '../../../../ui/choices/find-field.tsx'
import { toastRefused } from '../../../../ui/notices/toast.tsx'
import { doneBy } from '../../../desk-mail/macro-words.ts'
import type { Draft } from '../../parts/use-draft.ts'
import styles from '../desk.module.css'
import type { Changing } from '../use-change.ts'
import { t } from '../words.ts'
import { effectOf } from './macro-effect.ts'

interface MacroFieldProps {
  ticket: TicketThread
  draft: Draft
  changing: Changing
  /** Receives the status that the answer should set. */
  onThen: (status: TicketStatus) => void
  /** Called when the text was inserted, to be read before it is sent. */
  onWritten: () => void
}

/** Finds a macro by name and applies it: inserts its text into the draft, and changes the ticket. */
export function MacroField({ ticket, draft, changing, onThen, onWritten }: MacroFieldProps) {
  const me = useMe()
  const [typed, setTyped] = useState('')
  const macros = useQuery(q('GET /api/support/macros')).data?.items ?? []
  if (macros.length === 0) return null
  const words = typed.toLowerCase().split(/\s+/)
  const found = macros.filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  )
  const apply = (macro: Macro): void => {
    setTyped('')
    const blocked = refusalOf(macro, ticket)
    if (blocked !== undefined) {
      toastRefused(t.macroRefused, new Error(blocked))
      return
    }
    // Customers never see the address of an agent.
    const given = { id: me.id, name: me.name ?? brandName }
    const effect = effectOf(macro.actions, { ticket, me: given, typed: draft })
    if (effect.typed.text !== undefined) draft.change(effect.typed)
    if (effect.afterwards) onThen(effect.afterwards)
    if (Object.keys(effect.change).length > 0) void changing.change(effect.change)
    onWritten()
  }
  return (
    <div
      className={styles.macros}
      data-property="macros"
      // Escape or a second slash returns to the text: the person meant to type a slash.
      onKeyDownCapture={(event) => {
        const isSlash = event.key === '/' && typed === ''
        if (!isSlash && event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        setTyped('')
        if (isSlash && draft.text === '') draft.write('/')
        onWritten()
      }}
    >
      <FindField
        label={t.applyMacro}
        typed={typed}
        hits={found.map((macro) => ({
          id: macro.id,
          label: macro.name,
          place: macro.actions.map(doneBy).join(', '),
          macro,
        }))}
        nothingFound={t.noMacro}
        onType={setTyped}
        onChoose={({ macro }) => apply(macro)}
      />
    </div>
  )
}

/** Why it cannot be applied as a whole; it is never applied in part. */
function refusalOf({ actions }: Macro, { may }: TicketThread): string | undefined {
  const types = new Set(actions.map(({ type }) => type))
  if (types.has('reply') && !may.reply) return t.closedText
  if ((types.has('assign') || types.has('set_group')) && !may.assign) return t.macroAssigns
  return undefined
}
