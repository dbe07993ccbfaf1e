import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect } from 'react'
import type { BoundField } from '../../ui/fields/field-props.ts'
import { type FormOptions, NOTHING_CHANGED, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { useOrigins, withOrigin } from './setting-origin.tsx'
import { focusSetting, SettingTarget } from './setting-target.ts'
import { type SettingsGroup, settingId } from './settings-text.ts'

interface SettingsFormOptions<V extends object, R> extends FormOptions<V, R> {
  /** The labels and places of the fields. */
  group: SettingsGroup<keyof V & string>
  /** The query for the saved values. */
  query: `GET /api/${string}`
  /** The message after saving, and its addition. */
  said: string
  addition?: (saved: R) => string | undefined
}

/** A value of the settings with its declared texts. */
interface DeclaredField<T> extends BoundField<T> {
  readonly id: string
  readonly label: string
  readonly description: ReactNode
}

/**
 * A form over settings that are saved together. The response replaces the query's data; the
 * component that renders the form uses it as key, so the form restarts from the saved values.
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
     * Props of the field, texts included; `pointer` is its JSON pointer in the API if different,
     * `description` replaces the declared one.
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
    /** The heading above a field. */
    cardOf: (name: keyof V & string): string => group.fields[name].card,
  }
}

/** A setting hidden because another one is off leads to that one. */
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

/** An optional text for the API: null when empty. */
export const orNull = (text: string): string | null => text.trim() || null
