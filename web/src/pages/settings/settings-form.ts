import { useQueryClient } from '@tanstack/react-query'
import { type FormOptions, NOTHING_CHANGED, useForm } from '../../ui/form.tsx'
import { toastDone } from '../../ui/toast.tsx'

interface SettingsFormOptions<V, R> extends FormOptions<V, R> {
  /** The query that answers what is saved. */
  query: `GET /api/${string}`
  /** What is said once it is saved, and what is added to it. */
  said: string
  addition?: (saved: R) => string | undefined
}

/**
 * A form over settings that are saved as a whole. The answer replaces what the query holds; whoever
 * renders the form keys it by that, so it begins anew from what was saved.
 */
export function useSettingsForm<V extends object, R>(options: SettingsFormOptions<V, R>) {
  const client = useQueryClient()
  const form = useForm<V, R>({
    ...options,
    done: (saved, values) => {
      client.setQueryData([options.query], saved)
      options.done?.(saved, values)
      toastDone(options.said, options.addition?.(saved))
    },
  })
  const changed = JSON.stringify(form.values) !== JSON.stringify(options.initial)
  return { ...form, changed, unchanged: changed ? undefined : NOTHING_CHANGED }
}

/** A text that may be left empty, as the interface takes it. */
export const orNull = (text: string): string | null => text.trim() || null
