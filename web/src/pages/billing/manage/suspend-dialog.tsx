import type { ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import { ExtendSubscription, SuspendSubscription } from '@lodge/shared/billing/grants.ts'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'

interface SubscriptionDialogProps {
  subscription: ManagedSubscription
  onClose: () => void
}

/** What a suspension, its end, and free time change. */
export const REFRESHES = ['GET /api/billing/subscriptions', 'GET /api/billing/invoices'] as const

/** Suspends a subscription, with a reason that its customer reads. */
export const SuspendDialog = (props: SubscriptionDialogProps) => (
  <Dialog
    title={t.suspendTitle({ plan: props.subscription.planName, email: props.subscription.email })}
    opened
    onClose={props.onClose}
  >
    <SuspendForm {...props} />
  </Dialog>
)

function SuspendForm({ subscription: { id, planName }, onClose }: SubscriptionDialogProps) {
  const form = useForm<{ reason: string }, ManagedSubscription>({
    initial: { reason: '' },
    schema: SuspendSubscription,
    submit: (body) => api('POST /api/billing/subscriptions/{id}/suspend', { params: { id }, body }),
    refreshes: REFRESHES,
    done: () => {
      toastDone(t.hostSuspended, planName)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={t.suspendVerb} submitKind="danger">
      <Text>{t.suspendText}</Text>
      <AreaField
        label={t.reason}
        description={t.reasonHelp}
        rows={2}
        width="fill"
        {...form.field('reason')}
      />
    </Form>
  )
}

/** Gives free time: what is paid, or the trial, ends later. */
export const GrantDialog = (props: SubscriptionDialogProps) => (
  <Dialog
    title={t.grantTitle({ plan: props.subscription.planName, email: props.subscription.email })}
    opened
    onClose={props.onClose}
  >
    <GrantForm {...props} />
  </Dialog>
)

interface GrantValues {
  readonly days: number | undefined
  readonly reason: string
}
const grantBody = ({ days, reason }: GrantValues) => ({
  days,
  ...(reason.trim() !== '' && { reason }),
})

function GrantForm({ subscription: { id, planName }, onClose }: SubscriptionDialogProps) {
  const form = useForm<GrantValues, ManagedSubscription>({
    initial: { days: 7, reason: '' },
    schema: ExtendSubscription,
    toBody: grantBody,
    submit: (values) =>
      api('POST /api/billing/subscriptions/{id}/grant', {
        params: { id },
        body: ExtendSubscription.parse(grantBody(values)),
      }),
    refreshes: REFRESHES,
    done: () => {
      toastDone(t.granted, planName)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={t.grantVerb}>
      <Text>{t.grantText}</Text>
      <NumberField label={t.freeDays} width="fill" {...form.field('days')} />
      <AreaField
        label={t.reasonOptional}
        description={t.reasonHelp}
        rows={2}
        width="fill"
        {...form.field('reason')}
      />
    </Form>
  )
}
