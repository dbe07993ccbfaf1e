import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { orNull, useSettingsForm } from './settings-form.ts'
import { SIGN_UP } from './settings-groups.ts'
import { t } from './words.ts'

type Saved = Reply<'GET /api/settings/signup'>

interface Values {
  mode: Saved['mode']
  provider: Saved['captcha']['provider']
  siteKey: string
  secret: string
  required: boolean
  termsUrl: string
  privacyUrl: string
}

const modes = () =>
  [
    { value: 'closed', label: t.closed, description: t.closedHelp },
    { value: 'invitation', label: t.byInvitation, description: t.byInvitationHelp },
    { value: 'approval', label: t.withApproval, description: t.withApprovalHelp },
    { value: 'open', label: t.open, description: t.openHelp },
  ] as const
const PROVIDERS = ['off', 'turnstile', 'hcaptcha'] as const
const providers = () => [
  { value: 'off', label: t.noCaptcha },
  { value: 'turnstile', label: t.turnstile },
  { value: 'hcaptcha', label: t.hcaptcha },
]

export function SignUpSettings({ saved }: { saved: Saved }) {
  const client = useQueryClient()
  const form = useSettingsForm({
    group: SIGN_UP,
    saved,
    valuesOf: ({ mode, captcha, terms }): Values => ({
      mode,
      provider: captcha.provider,
      siteKey: captcha.siteKey ?? '',
      secret: '',
      required: terms.required,
      termsUrl: terms.termsUrl ?? '',
      privacyUrl: terms.privacyUrl ?? '',
    }),
    // A secret is for the provider and the key for which it was typed.
    goesWith: { secret: ['provider', 'siteKey'] },
    submit: (values) =>
      api('PUT /api/settings/signup', {
        body: {
          mode: values.mode,
          captcha: {
            provider: values.provider,
            siteKey: orNull(values.siteKey),
            ...(values.secret === '' ? {} : { secret: values.secret }),
          },
          terms: {
            required: values.required,
            termsUrl: orNull(values.termsUrl),
            privacyUrl: orNull(values.privacyUrl),
          },
        },
      }),
    query: 'GET /api/settings/signup',
    hasSecrets: true,
    said: t.signUpSaved,
    done: () => void client.invalidateQueries({ queryKey: ['GET /api/signup/config'] }),
  })
  const { values, errors } = form
  return (
    <>
      <FormSection title={form.cardOf('mode')} description={t.whoMaySignUpText}>
        <WithDefault {...form.standing('mode', modes())}>
          <Choices {...form.field('mode')} choices={modes()} />
        </WithDefault>
        {saved.mode === 'closed' ? null : (
          <Row gap={6}>
            <Text muted>{t.signUpAddress}</Text>
            <Copyable value={`${location.origin}${paths.signUp}`} label={t.copySignUpAddress} />
            <Link to={paths.invites}>{t.invitations}</Link>
          </Row>
        )}
      </FormSection>
      <FormSection title={form.cardOf('provider')} description={t.captchaText}>
        <WithDefault {...form.standing('provider', providers())}>
          <SelectField
            choices={providers()}
            {...form.field('provider')}
            onChange={(next) => {
              const found = PROVIDERS.find((value) => value === next)
              if (found) form.set('provider', found)
            }}
          />
        </WithDefault>
        {values.provider === 'off' ? null : (
          <>
            <TextField
              autoComplete="off"
              mono
              {...form.field('siteKey')}
              error={errors['captcha/siteKey'] ?? errors.captcha}
            />
            <PasswordField
              autoComplete="off"
              {...form.field(
                'secret',
                'captcha/secret',
                saved.captcha.hasSecret ? t.keepSaved : undefined,
              )}
            />
          </>
        )}
      </FormSection>
      <FormSection title={form.cardOf('termsUrl')} description={t.termsText}>
        <WithDefault {...form.standing('termsUrl')}>
          <TextField
            placeholder="https://"
            autoComplete="off"
            {...form.field('termsUrl', 'terms/termsUrl')}
          />
        </WithDefault>
        <WithDefault {...form.standing('privacyUrl')}>
          <TextField
            placeholder="https://"
            autoComplete="off"
            {...form.field('privacyUrl', 'terms/privacyUrl')}
          />
        </WithDefault>
        <WithDefault {...form.standing('required')}>
          <SwitchField {...form.field('required')} />
        </WithDefault>
      </FormSection>
    </>
  )
}
