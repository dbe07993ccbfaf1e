import type { useForm } from '../../../ui/form.tsx'
import type { VmValues } from './vm-values.ts'

/** The form of a new virtual machine as its parts see it. */
export type VmFormState = Pick<
  ReturnType<typeof useForm<VmValues, unknown>>,
  'values' | 'errors' | 'set' | 'setValues' | 'field'
>
