import type { AdminBranding } from '@lodge/shared/branding.ts'
import type { useForm } from '../../ui/form/form.tsx'
import type { Draft } from './draft.ts'

export interface Values extends Draft {
  reason: string
}

/** The form of the whole look. */
export type BrandForm = ReturnType<typeof useForm<Values, AdminBranding>>
