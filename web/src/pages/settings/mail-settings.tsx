import { useQueryClient } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Card } from '../../ui/card.tsx'
import { Fields } from '../../ui/fields.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Grid } from '../../ui/layout.tsx'
import { NumberField } from '../../ui/measure-fields.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastDone } from '../../ui/toast.tsx'

type Saved = Reply<'GET /api/settings/mail'>
type Security = Saved['security']

interface Values {
  host: string
  port: number | undefined
  security: Security
  user: string
  password: string
  fromName: string
  fromAddress: string
  signs: boolean
  domain: string
  selector: string
  privateKey: string
}

const SECURITY = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
  { value: 'none', label: 'None' },
] as const
const USUAL_PORT: Readonly<Record<Security, number>> = { starttls: 587, tls: 465, none: 25 }

const valuesOf = (saved: Saved): Values => ({
  host: saved.host ?? '',
  port: saved.port,
  security: saved.security,
  user: saved.user ?? '',
  password: '',
  fromName: saved.from.name,
  fromAddress: saved.from.address,
  signs: saved.dkim !== null,
  domain: saved.dkim?.domain ?? '',
  selector: saved.dkim?.selector ?? '',
  privateKey: '',
})
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

const save = (values: Values) =>
  api('PUT /api/settings/mail', {
    body: {
      host: orNull(values.host),
      port: values.port ?? USUAL_PORT[values.security],
      security: values.security,
      user: orNull(values.user),
      from: { name: values.fromName, address: values.fromAddress.trim() },
      ...(values.password === '' ? {} : { password: values.password }),
      dkim: values.signs
        ? {
            domain: values.domain.trim(),
            selector: values.selector.trim(),
            ...(values.privateKey.trim() === '' ? {} : { privateKey: values.privateKey }),
          }
        : null,
    },
  })

export function MailSettings({ saved }: { saved: Saved }) {
  const client = useQueryClient()
  const initial = valuesOf(saved)
  const form = useForm<Values, Saved>({
    initial,
    submit: save,
    done: (next) => {
      client.setQueryData(['GET /api/settings/mail'], next)
      toastDone('Mail settings saved', next.host === null ? 'Mail is kept here.' : undefined)
    },
  })
  const { values, errors } = form
  const changed = JSON.stringify(values) !== JSON.stringify(initial)
  const secure = (security: Security): void => {
    const usual = values.port === undefined || values.port === USUAL_PORT[values.security]
    form.setValues({
      ...values,
      security,
      ...(usual ? { port: USUAL_PORT[security] } : {}),
    })
  }
  return (
    <Form
      form={form}
      submitText="Save settings"
      disabledBecause={changed ? undefined : 'Nothing has been changed'}
    >
      <Card title="Mail server">
        <Fields>
          <Grid least={220}>
            <TextField
              label="Host"
              placeholder="mail.example.com"
              description="Empty: mail is kept here and not sent"
              autoComplete="off"
              {...form.field('host')}
            />
            <NumberField label="Port" {...form.field('port')} />
          </Grid>
          <div>
            <Segments
              label="Encryption"
              value={values.security}
              choices={SECURITY}
              onChange={secure}
            />
          </div>
          <Grid least={220}>
            <TextField label="User (optional)" autoComplete="off" {...form.field('user')} />
            <PasswordField
              label="Password"
              autoComplete="off"
              description={saved.hasPassword ? 'One is kept; leave empty to keep it' : undefined}
              {...form.field('password')}
            />
          </Grid>
        </Fields>
      </Card>
      <Card title="Sender">
        <Grid least={220}>
          <TextField
            label="Name"
            description="Also what mails call this panel"
            autoComplete="off"
            value={values.fromName}
            error={errors['from/name']}
            onChange={(name) => form.set('fromName', name)}
          />
          <TextField
            label="Address"
            type="email"
            autoComplete="off"
            value={values.fromAddress}
            error={errors['from/address']}
            onChange={(address) => form.set('fromAddress', address)}
          />
        </Grid>
      </Card>
      <Card title="Signature (DKIM)">
        <Fields>
          <SwitchField label="Sign mail" {...form.field('signs')} />
          {values.signs ? (
            <>
              <Grid least={220}>
                <TextField
                  label="Domain"
                  autoComplete="off"
                  value={values.domain}
                  error={errors['dkim/domain']}
                  onChange={(domain) => form.set('domain', domain)}
                />
                <TextField
                  label="Selector"
                  autoComplete="off"
                  value={values.selector}
                  error={errors['dkim/selector']}
                  onChange={(selector) => form.set('selector', selector)}
                />
              </Grid>
              <AreaField
                label="Private key (PEM)"
                rows={4}
                mono
                description={
                  saved.dkim?.hasPrivateKey ? 'One is kept; leave empty to keep it' : undefined
                }
                value={values.privateKey}
                error={errors['dkim/privateKey']}
                onChange={(key) => form.set('privateKey', key)}
              />
            </>
          ) : null}
        </Fields>
      </Card>
    </Form>
  )
}
