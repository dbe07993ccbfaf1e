import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect } from 'react'
import { type Args, api, type Key, type Reply } from '../../api.ts'
import type { BoundField, Choice } from '../../ui/fields/field-props.ts'
import { type GoesWith, isSame, rebased } from '../../ui/form/changes.ts'
import { type FormOptions, useForm } from '../../ui/form/form.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import type { Standing } from '../../ui/form/with-default.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { defaultWords, fieldDefault } from './setting-default.ts'
import { useOrigins, withOrigin } from './setting-origin.tsx'
import { focusSetting, SettingTarget } from './setting-target.ts'
import { type SettingsGroup, settingId } from './settings-text.ts'

interface SettingsFormOptions<V extends object, K extends Key<'GET'>>
  extends Omit<FormOptions<V, Reply<K>>, 'initial' | 'submit'> {
  /** The labels and places of the fields. */
  group: SettingsGroup<keyof V & string>
  /** The query for the saved values. */
  query: K
  /** Its response. */
  saved: Reply<K>
  /** The fields' values for a response. */
  valuesOf: (saved: Reply<K>) => V
  /** @param newest what is saved now, for what the fields do not say */
  submit: (values: V, newest: Reply<K>) => Promise<Reply<K>>
  /** Which fields are only saved together with another one that was changed here. */
  goesWith?: GoesWith<NoInfer<V>>
  /** Whether the response says more than `valuesOf`: which secrets are set. */
  hasSecrets?: boolean
  /** The message after saving, and its addition. */
  said: string
  addition?: (saved: Reply<K>) => string | undefined
}

/** A value of the settings with its declared texts. */
interface DeclaredField<T> extends BoundField<T> {
  readonly id: string
  readonly label: string
  readonly description: ReactNode
  /** The default of an amount, which empty means. */
  readonly placeholder?: string
}

/**
 * A part of a `SaveForm`: settings that one endpoint saves, all at once. What somebody else saved
 * meanwhile is kept: only what was changed here replaces it. The response replaces the query's data,
 * which the part follows.
 */
export function useSettingsForm<V extends object, K extends Key<'GET'>>(
  options: SettingsFormOptions<V, K>,
) {
  const { group, query, saved, valuesOf } = options
  const initial = valuesOf(saved)
  const client = useQueryClient()
  const originOf = useOrigins(group)
  const defaultOf = (name: keyof V & string): unknown =>
    fieldDefault(group, name, originOf(name), initial[name])
  const form = useForm<V, Reply<K>>({
    ...options,
    initial,
    async submit(values, known) {
      const newest = await api(query, ...([] as unknown as Args<K>))
      const theirs = valuesOf(newest)
      const merged = rebased(values, known, theirs, options.goesWith)
      const all = filled(merged, (name) => defaultOf(name) ?? theirs[name])
      try {
        return await options.submit(all, newest)
      } catch (error) {
        // What was refused may be what somebody else saved: then it is seen.
        client.setQueryData([query], newest)
        throw error
      }
    },
    refreshes: [...(options.refreshes ?? []), 'GET /api/settings/origins'],
    done: (saved, values) => {
      client.setQueryData([query], saved)
      options.done?.(saved, values)
      toastDone(options.said, options.addition?.(saved))
    },
  })
  useSaved(form, initial, options.hasSecrets ? saved : initial)
  useSavePart(form, { labelOf: (name) => group.fields[name].label() })
  useSettingTarget(group)
  return {
    ...form,
    /**
     * Props of the field, texts included; `pointer` is its JSON pointer in the API if different,
     * `description` replaces the declared one.
     */
    field: <K extends keyof V & string>(
      name: K,
      pointer?: string,
      description: ReactNode = group.fields[name].description?.(),
    ): DeclaredField<V[K]> => {
      const usual = defaultOf(name)
      return {
        ...form.field(name, pointer),
        id: settingId(group, name),
        label: group.fields[name].label(),
        description: withOrigin(description, originOf(name)),
        ...(typeof usual === 'number' && { placeholder: String(usual) }),
      }
    },
    /** How the field relates to its default; `choices` name the default of a choice. */
    standing: <K extends keyof V & string>(name: K, choices?: readonly Choice[]): Standing => {
      const usual = defaultOf(name)
      const value = form.values[name]
      return {
        label: group.fields[name].label(),
        differs: usual === undefined ? undefined : value !== undefined && !isSame(value, usual),
        defaultWords: defaultWords(usual, choices),
        onReset: () => form.set(name, usual as V[K]),
      }
    },
    /** The heading above a field. */
    cardOf: (name: keyof V & string): string => group.fields[name].card(),
  }
}

/** The values with each cleared amount replaced. */
function filled<V extends object>(values: V, fallback: (name: keyof V & string) => unknown): V {
  const names = Object.keys(values) as (keyof V & string)[]
  return Object.fromEntries(names.map((name) => [name, values[name] ?? fallback(name)])) as V
}

/** Makes a link to a setting that is hidden by another one lead to that one. */
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
