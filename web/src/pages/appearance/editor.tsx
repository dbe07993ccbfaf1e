import type { AdminBranding } from '@lodge/shared/branding.ts'
import { useEffect } from 'react'
import { api } from '../../api.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { AnnouncementFields } from './announcement-fields.tsx'
import type { Values } from './brand-form.ts'
import { Checks } from './checks.tsx'
import { brandingOf, draftOf, fieldOf } from './draft.ts'
import { ImageFields } from './image-fields.tsx'
import { onImport } from './imported.ts'
import { labelOf } from './labels.ts'
import { LinkFields } from './link-fields.tsx'
import { LookFields } from './look-fields.tsx'
import { TextFields } from './text-fields.tsx'
import { usePreview } from './use-preview.ts'
import { t } from './words.ts'

/** Every part of the look, as a draft. */
export function Editor({ saved }: { saved: AdminBranding }) {
  const form = useForm<Values, AdminBranding>({
    initial: { ...draftOf(saved.branding), reason: '' },
    submit: ({ reason, ...draft }) =>
      api('PUT /api/branding', {
        body: { branding: brandingOf(draft), baseRevision: saved.revision, reason },
      }),
    nameOf: fieldOf,
    refreshes: ['GET /api/branding/admin'],
    done: () => toastDone(t.saved),
  })
  useSavePart(form, { labelOf })
  const { setValues } = form
  useEffect(
    () => onImport((branding) => setValues({ ...draftOf(branding), reason: '' })),
    [setValues],
  )
  const draft = brandingOf(form.values)
  const report = usePreview(draft, saved)
  return (
    <>
      <FormSection title={t.identity} description={t.identityText}>
        <TextField label={t.name} {...form.field('name')} />
        <TextField label={t.tagline} description={t.taglineHelp} {...form.field('tagline')} />
        <TextField
          label={t.supportEmail}
          description={t.supportEmailHelp}
          type="email"
          {...form.field('supportEmail')}
        />
      </FormSection>
      <LookFields form={form} />
      <Checks report={report} />
      <FormSection title={t.images} description={t.imagesText}>
        <ImageFields value={form.values.images} onChange={(images) => form.set('images', images)} />
      </FormSection>
      <TextFields form={form} />
      <FormSection title={t.links} description={t.linksText}>
        <LinkFields value={form.values.links} onChange={(links) => form.set('links', links)} />
      </FormSection>
      <AnnouncementFields form={form} />
      <FormSection title={t.reason} description={t.reasonHelp}>
        <TextField label={t.reason} {...form.field('reason')} />
      </FormSection>
    </>
  )
}
