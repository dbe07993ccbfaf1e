import type { MacroAction } from '@lodge/shared/support/macros.ts'
import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import type { Typed } from '../../parts/kept-draft.ts'
import type { Change } from '../change.ts'

type About = Pick<TicketThread, 'number' | 'subject' | 'requester' | 'staff'>

interface Given {
  readonly ticket: About
  /** The agent who applies it. */
  readonly me: { readonly id: string; readonly name: string }
  /** The text typed so far. */
  readonly typed: Pick<Typed, 'text' | 'isNote'>
}

/** The effects of a macro on a ticket and on the answer being written. */
export interface Effect {
  readonly typed: Partial<Pick<Typed, 'text' | 'isNote'>>
  /** Changes to the ticket, applied immediately in one request. */
  readonly change: Change
  /** The status that is sent with the answer, not before it. */
  readonly afterwards: TicketStatus | undefined
}

/** The effects of these actions. */
export function effectOf(actions: readonly MacroAction[], given: Given): Effect {
  const written = actions.find((action) => action.type === 'reply' || action.type === 'note')
  const change = changeOf(actions, given)
  if (!written) return { typed: {}, change, afterwards: undefined }
  const { text, isNote } = given.typed
  const isEmpty = text.trim() === ''
  const typed = {
    text: [...(isEmpty ? [] : [text.trimEnd()]), filled(written.text, given)].join('\n\n'),
    // A note that was begun must never go to the customer.
    isNote: written.type === 'note' || (!isEmpty && isNote),
  }
  if (written.type === 'note' || typed.isNote) return { typed, change, afterwards: undefined }
  const { status: afterwards, ...rest } = change
  return { typed, change: rest, afterwards }
}

function filled(text: string, { ticket: { number, subject, requester }, me }: Given): string {
  const known: Readonly<Record<string, string>> = {
    ...{ customer: requester.name ?? requester.email, agent: me.name, number, subject },
  }
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
}

function changeOf(actions: readonly MacroAction[], { ticket: { staff }, me }: Given): Change {
  const change: Change = {}
  for (const action of actions) {
    const tags = change.tags ?? staff?.tags ?? []
    if (action.type === 'set_status') change.status = action.status
    if (action.type === 'set_priority') change.priority = action.priority
    if (action.type === 'set_group') change.groupId = action.groupId
    if (action.type === 'set_category') change.categoryId = action.categoryId
    if (action.type === 'assign') change.assigneeId = action.to === 'me' ? me.id : null
    if (action.type === 'add_tags') change.tags = [...new Set([...tags, ...action.tags])]
    if (action.type === 'remove_tags')
      change.tags = tags.filter((tag) => !action.tags.includes(tag))
  }
  return change
}
