import { useEffect, useState } from 'react'
import { unreadAmounts } from '../../../ui/form/complaint.ts'
import { type FormOptions, useForm } from '../../../ui/form/form.tsx'
import { type Draft, typedSince, type Ways } from './drafts.ts'

interface KindFormOptions<V, R> extends FormOptions<V, R> {
  own: Draft<V>
  /** The draft of the other kind. */
  other: Draft<unknown>
  ways: Ways<V>
}

/** Drops unreadable amounts: their fields disappear. */
function readableOnly<V extends object>(values: V, before: V): V {
  const unread = new Set(unreadAmounts(values).map((at) => at.split('/')[0]))
  const kept = Object.entries(before).filter(([name]) => unread.has(name))
  return { ...values, ...Object.fromEntries(kept) }
}

/**
 * The form of one kind of server: starts with its own draft, plus what was typed for the other kind.
 */
export function useKindForm<V extends object, R>(options: KindFormOptions<V, R>) {
  const { own, other, ways, ...rest } = options
  const [start] = useState(() => ways.adopt(own.values ?? rest.initial, other.typed))
  const form = useForm<V, R>({ ...rest, start })
  const { values, changed } = form
  useEffect(() => {
    own.values = readableOnly(values, own.values ?? start)
    own.changed = changed
    own.typed = typedSince(ways.commonOf(start), ways.commonOf(values), ways.usualSizes(values))
    // Taken over, so cleared.
    other.typed = {}
  })
  // Leaving the page loses the drafts of both kinds.
  return { ...form, changed: [...changed, ...other.changed] }
}
