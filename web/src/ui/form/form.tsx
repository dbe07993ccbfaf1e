import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { ApiError, type Key } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button, type ButtonKind } from '../buttons/button.tsx'
import type { Bound, BoundField } from '../fields/field-props.ts'
import { ProblemNote } from '../notices/problem-note.tsx'
import { boundOf, complaint, unreadAmounts } from './complaint.ts'
import styles from './form.module.css'

type Errors = Readonly<Record<string, string>>
type Bounds = Readonly<Record<string, Bound>>

export interface FormOptions<V, R> {
  initial: V
  /** Checked before anything is sent; its complaints appear at the fields. */
  schema?: z.ZodType
  /** What the schema sees, when it is not the values themselves. */
  toBody?: (values: V) => unknown
  submit: (values: V) => Promise<R>
  /** What is out of date once it was sent. */
  refreshes?: readonly Key<'GET'>[]
  done?: (result: R, values: V) => void
}

/** At an amount that could not be read; its field says how to write it. */
const UNREAD = 'Is not an amount'

/** Why there is nothing to save. */
export const NOTHING_CHANGED = 'Nothing has been changed'

const fieldOf = (pointer: string): string => pointer.replace(/^\/+/, '')

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    (error.problem.errors ?? []).map(({ pointer, detail }) => [fieldOf(pointer), detail]),
  )
}

/** The first field with a complaint; fields may stand outside of the form element. */
const firstComplaint = (form: HTMLFormElement): HTMLElement | null =>
  (form.closest('[role="dialog"]') ?? document).querySelector('[aria-invalid="true"]')

/**
 * State of one form: values, complaints at their fields and the one refusal of the last attempt.
 * Field complaints of the interface come by JSON pointer, e.g. `/name` or `/variables/MOTD`.
 */
export function useForm<V extends object, R>(options: FormOptions<V, R>) {
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Errors>({})
  const [bounds, setBounds] = useState<Bounds>({})
  const [refusal, setRefusal] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ form: HTMLFormElement }>()
  const refresh = useRefresh()

  // After the complaints are on the page: a refused attempt leads to the first of them.
  useEffect(() => {
    if (refused) firstComplaint(refused.form)?.focus()
  }, [refused])

  const set = <K extends keyof V>(name: K, value: V[K]): void => {
    setValues((old) => ({ ...old, [name]: value }))
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([key]) => key !== name)))
  }

  const check = (): { complaints: Errors; bounds: Bounds } => {
    const unread = unreadAmounts(values)
    if (unread.length > 0)
      return { complaints: Object.fromEntries(unread.map((at) => [at, UNREAD])), bounds: {} }
    const parsed = options.schema?.safeParse(options.toBody?.(values) ?? values)
    const issues = !parsed || parsed.success ? [] : parsed.error.issues
    return {
      complaints: Object.fromEntries(
        issues.map((issue) => [issue.path.join('/'), complaint(issue)]),
      ),
      bounds: Object.fromEntries(
        issues.flatMap((issue) => {
          const bound = boundOf(issue)
          return bound ? [[issue.path.join('/'), bound]] : []
        }),
      ),
    }
  }

  const send = async (form: HTMLFormElement): Promise<void> => {
    const { complaints, bounds } = check()
    setErrors(complaints)
    setBounds(bounds)
    setRefusal(undefined)
    if (Object.keys(complaints).length > 0) return setRefused({ form })
    setBusy(true)
    try {
      const result = await options.submit(values)
      void refresh(options.refreshes ?? [])
      options.done?.(result, values)
    } catch (error) {
      setErrors(errorsOf(error))
      setRefusal(error)
      setRefused({ form })
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    errors,
    /** How far amounts with a complaint may go. */
    bounds,
    refusal,
    busy,
    set,
    setValues,
    /** Props of the field with this name; `pointer` is where the interface finds it, if elsewhere. */
    field: <K extends keyof V & string>(name: K, pointer: string = name): BoundField<V[K]> => ({
      value: values[name],
      error: errors[pointer],
      ...(bounds[pointer] && { bound: bounds[pointer] }),
      onChange: (value) => set(name, value),
    }),
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      // A form in a dialog is no part of the page's form that opened it.
      event.stopPropagation()
      if (!busy) void send(event.currentTarget)
    },
  }
}

/** A form as the components see that hold a part of its fields. */
export type FormState<V extends object> = Pick<
  ReturnType<typeof useForm<V, unknown>>,
  'values' | 'errors' | 'bounds' | 'set' | 'setValues' | 'field'
>

interface FormProps {
  form: { refusal: unknown; busy: boolean; onSubmit: (event: FormEvent<HTMLFormElement>) => void }
  /** Text of the button: verb and object. */
  submitText: string
  submitKind?: ButtonKind
  submitFull?: boolean
  disabledBecause?: string | undefined
  /** More buttons beside the main one. */
  beside?: ReactNode
  label?: string
  /** The button stays in view while a long form is scrolled. */
  long?: boolean
  children: ReactNode
}

/** A form with its one place for refusals, directly above the button. */
export function Form({
  form,
  submitText,
  submitKind = 'primary',
  submitFull,
  disabledBecause,
  beside,
  label,
  long,
  children,
}: FormProps) {
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate aria-label={label}>
      {children}
      {form.refusal === undefined ? null : <ProblemNote error={form.refusal} />}
      <div className={long ? `${styles.actions} ${styles.stays}` : styles.actions}>
        <Button
          type="submit"
          kind={submitKind}
          busy={form.busy}
          full={submitFull ?? false}
          disabledBecause={disabledBecause}
        >
          {submitText}
        </Button>
        {beside}
      </div>
    </form>
  )
}
