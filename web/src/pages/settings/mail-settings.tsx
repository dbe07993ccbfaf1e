import { api, type Reply } from '../../api.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Grid } from '../../ui/page/layout.tsx'
import { orNull, useSettingsForm } from './settings-form.ts'
import { MAIL } from './settings-groups.ts'

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
  const form = useSettingsForm<Values, Saved>({
    group: MAIL,
    initial: valuesOf(saved),
    submit: save,
    query: 'GET /api/settings/mail',
    said: 'Mail settings saved',
    addition: ({ host }) => (host === null ? 'Mail is kept here.' : undefined),
  })
  const { values } = form
  const secure = (security: Security): void => {
    const usual = values.port === undefined || values.port === USUAL_PORT[values.security]
    form.setValues({
      ...values,
      security,
      ...(usual ? { port: USUAL_PORT[security] } : {}),
    })
  }
  return (
    <Form form={form} submitText="Save settings" disabledBecause={form.unchanged}>
      <Card title={form.cardOf('host')}>
        <Fields>
          <Grid least={220}>
            <TextField placeholder="mail.example.com" autoComplete="off" {...form.field('host')} />
            <NumberField {...form.field('port')} />
          </Grid>
          <div>
            <Segments {...form.field('security')} choices={SECURITY} onChange={secure} />
          </div>
          <Grid least={220}>
            <TextField autoComplete="off" {...form.field('user')} />
            <PasswordField
              autoComplete="off"
              {...form.field(
                'password',
                undefined,
                saved.hasPassword
                  ? 'One is kept; leave empty unless the server changes'
                  : undefined,
              )}
            />
          </Grid>
        </Fields>
      </Card>
      <Card title={form.cardOf('fromName')}>
        <Grid least={220}>
          <TextField autoComplete="off" {...form.field('fromName', 'from/name')} />
          <TextField
            type="email"
            autoComplete="off"
            {...form.field('fromAddress', 'from/address')}
          />
        </Grid>
      </Card>
      <Card title={form.cardOf('signs')}>
        <Fields>
          <SwitchField {...form.field('signs')} />
          {values.signs ? (
            <>
              <Grid least={220}>
                <TextField autoComplete="off" {...form.field('domain', 'dkim/domain')} />
                <TextField autoComplete="off" {...form.field('selector', 'dkim/selector')} />
              </Grid>
              <AreaField
                rows={4}
                mono
                {...form.field(
                  'privateKey',
                  'dkim/privateKey',
                  saved.dkim?.hasPrivateKey ? 'One is kept; leave empty to keep it' : undefined,
                )}
              />
            </>
          ) : null}
        </Fields>
      </Card>
    </Form>
  )
}
