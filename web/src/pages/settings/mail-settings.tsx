import { api, type Reply } from '../../api.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection, Labelled } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { orNull, useSettingsForm } from './settings-form.ts'
import { MAIL } from './settings-groups.ts'
import { t } from './words.ts'

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

const encryptions = () =>
  [
    { value: 'starttls', label: t.starttls },
    { value: 'tls', label: t.tls },
    { value: 'none', label: t.noEncryption },
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
  const form = useSettingsForm({
    group: MAIL,
    saved,
    valuesOf,
    // A secret is for the server and the key for which it was typed.
    goesWith: {
      password: ['host', 'port', 'security', 'user'],
      privateKey: ['signs', 'domain', 'selector'],
    },
    submit: save,
    query: 'GET /api/settings/mail',
    hasSecrets: true,
    said: t.mailSaved,
    addition: ({ host }) => (host === null ? t.mailIsKept : undefined),
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
    <>
      <FormSection title={form.cardOf('host')} description={t.mailServerText}>
        <WithDefault {...form.standing('host')}>
          <TextField placeholder={t.hostExample} autoComplete="off" {...form.field('host')} />
        </WithDefault>
        <WithDefault {...form.standing('port')}>
          <NumberField {...form.field('port')} />
        </WithDefault>
        <WithDefault {...form.standing('security', encryptions())}>
          <Labelled label={form.field('security').label}>
            <Segments {...form.field('security')} choices={encryptions()} onChange={secure} />
          </Labelled>
        </WithDefault>
        <WithDefault {...form.standing('user')}>
          <TextField width="name" autoComplete="off" {...form.field('user')} />
        </WithDefault>
        <PasswordField
          width="name"
          autoComplete="off"
          {...form.field('password', undefined, saved.hasPassword ? t.keepSaved : undefined)}
        />
      </FormSection>
      <FormSection title={form.cardOf('fromName')} description={t.senderText}>
        <WithDefault {...form.standing('fromName')}>
          <TextField width="name" autoComplete="off" {...form.field('fromName', 'from/name')} />
        </WithDefault>
        <WithDefault {...form.standing('fromAddress')}>
          <TextField
            type="email"
            autoComplete="off"
            {...form.field('fromAddress', 'from/address')}
          />
        </WithDefault>
      </FormSection>
      <FormSection title={form.cardOf('signs')} description={t.signatureText}>
        <WithDefault {...form.standing('signs')}>
          <SwitchField {...form.field('signs')} />
        </WithDefault>
        {values.signs ? (
          <>
            <TextField autoComplete="off" {...form.field('domain', 'dkim/domain')} />
            <TextField
              width="name"
              autoComplete="off"
              {...form.field('selector', 'dkim/selector')}
            />
            <AreaField
              rows={4}
              mono
              {...form.field(
                'privateKey',
                'dkim/privateKey',
                saved.dkim?.hasPrivateKey ? t.keepSaved : undefined,
              )}
            />
          </>
        ) : null}
      </FormSection>
    </>
  )
}
