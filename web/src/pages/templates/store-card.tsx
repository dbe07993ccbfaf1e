import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

interface Entry {
  customerVisible: boolean
  featured: boolean
  customerDescription: string
}

const entryOf = (template: ShownTemplate): Entry => ({
  customerVisible: template.customerVisible,
  featured: template.featured,
  customerDescription: template.customerDescription ?? '',
})

const labels = (): Readonly<Record<keyof Entry, string>> => ({
  customerVisible: t.customersChoose,
  featured: t.featured,
  customerDescription: t.customerDescription,
})

/** Whether customers may choose this template, and its description for them. */
export const StoreCard = ({ template }: { template: ShownTemplate }) => (
  <Card title={t.store}>
    <SaveForm label={t.store} submitText={t.saveStore}>
      <StoreFields template={template} />
    </SaveForm>
  </Card>
)

function StoreFields({ template }: { template: ShownTemplate }) {
  const missing = useMissing()
  const form = useForm<Entry, unknown>({
    initial: entryOf(template),
    submit: ({ customerVisible, featured, customerDescription: text }) =>
      api('PUT /api/templates/{id}/store', {
        params: { id: template.id },
        body: { customerVisible, featured, customerDescription: text.trim() === '' ? null : text },
      }),
    refreshes: ['GET /api/templates', 'GET /api/templates/{id}'],
    done: () => {
      toastDone(t.storeSaved)
    },
  })
  useSaved(form, entryOf(template))
  useSavePart(form, { labelOf: (name) => labels()[name], blocked: missing('templates.manage') })
  return (
    <Column>
      <SwitchField label={labels().customerVisible} {...form.field('customerVisible')} />
      <SwitchField
        label={labels().featured}
        description={t.featuredHelp}
        {...form.field('featured')}
      />
      <AreaField
        label={labels().customerDescription}
        rows={3}
        {...form.field('customerDescription')}
      />
    </Column>
  )
}
