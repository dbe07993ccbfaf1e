import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import type { BrandForm } from './brand-form.ts'
import { t } from './words.ts'

/** Texts of the sign-in page, legal pages, mails, and custom CSS. */
export function TextFields({ form }: { form: BrandForm }) {
  return (
    <>
      <FormSection title={t.login} description={t.loginText}>
        <TextField label={t.loginTitle} {...form.field('loginTitle')} />
        <AreaField label={t.loginBody} rows={3} {...form.field('loginText')} />
      </FormSection>
      <FormSection title={t.legal} description={t.legalText}>
        <TextField label={t.termsUrl} placeholder="https://" {...form.field('termsUrl')} />
        <TextField label={t.privacyUrl} placeholder="https://" {...form.field('privacyUrl')} />
        <TextField label={t.imprintUrl} placeholder="https://" {...form.field('imprintUrl')} />
      </FormSection>
      <FormSection title={t.mails} description={t.mailsText}>
        <AreaField label={t.emailFooter} rows={3} {...form.field('emailFooter')} />
      </FormSection>
      <FormSection title={t.css} description={t.cssText}>
        <AreaField label={t.customCss} rows={8} mono {...form.field('customCss')} />
      </FormSection>
    </>
  )
}
