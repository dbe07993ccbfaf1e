import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect } from 'react'
import type { BoundField } from '../../ui/fields/field-props.ts'
import { type FormOptions, NOTHING_CHANGED, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { useOrigins, withOrigin } from './setting-origin.tsx'
import { focusSetting, SettingTarget } from './setting-target.ts'
import { type SettingsGroup, settingId } from './settings-text.ts'

interface SettingsFormOptions<V extends object, R> extends FormOptions<V, R> {
  /** What the fields are called and where they are found. */
  group: SettingsGroup<keyof V & string>
  /** The query that answers what is saved. */
  query: `GET /api/${string}`
  /** What is said once it is saved, and what is added to it. */
  said: string
  addition?: (saved: R) => string | undefined
}

/** A value of the settings with the words of its declaration. */
interface DeclaredField<T> extends BoundField<T> {
  readonly id: string
  readonly label: string
  readonly description: ReactNode
}

/**
 * A form over settings that are saved as a whole. The answer replaces what the query holds; whoever
 * renders the form keys it by that, so it begins anew from what was saved.
 */
export function useSettingsForm<V extends object, R>(options: SettingsFormOptions<V, R>) {
  const { group } = options
  const client = useQueryClient()
  const originOf = useOrigins(group)
  const form = useForm<V, R>({
    ...options,
    refreshes: [...(options.refreshes ?? []), 'GET /api/settings/origins'],
    done: (saved, values) => {
      client.setQueryData([options.query], saved)
      options.done?.(saved, values)
      toastDone(options.said, options.addition?.(saved))
    },
  })
  useSettingTarget(group)
  const changed = JSON.stringify(form.values) !== JSON.stringify(options.initial)
  return {
    ...form,
    changed,
    unchanged: changed ? undefined : NOTHING_CHANGED,
    /**
     * Props of the field, words included; `pointer` is where the interface finds it, if elsewhere,
     * `description` what to say in place of the declared one.
     */
    field: <K extends keyof V & string>(
      name: K,
      pointer?: string,
      description: ReactNode = group.fields[name].description,
    ): DeclaredField<V[K]> => ({
      ...form.field(name, pointer),
      id: settingId(group, name),
      label: group.fields[name].label,
      description: withOrigin(description, originOf(name)),
    }),
    /** The heading under which a field stands. */
    cardOf: (name: keyof V & string): string => group.fields[name].card,
  }
}

/** A setting that is not there because another one is off leads to that one. */
function useSettingTarget(group: SettingsGroup): void {
  const { wanted, reached } = useContext(SettingTarget)
  useEffect(() => {
    const name = Object.keys(group.fields).find((field) => settingId(group, field) === wanted)
    if (name === undefined) return
    const under = group.fields[name]?.under
    if (!focusSetting(settingId(group, name)) && under !== undefined)
      focusSetting(settingId(group, under))
    reached()
  }, [group, wanted, reached])
}

/** A text that may be left empty, as the interface takes it. */
export const orNull = (text: string): string | null => text.trim() || null
