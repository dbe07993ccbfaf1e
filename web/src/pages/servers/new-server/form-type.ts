import type { useForm } from '../../../ui/form.tsx'
import type { Values } from './values.ts'

/** The form of a new server as its parts see it. */
export type NewServerFormState = Pick<
  ReturnType<typeof useForm<Values, unknown>>,
  'values' | 'errors' | 'set' | 'setValues' | 'field'
>
