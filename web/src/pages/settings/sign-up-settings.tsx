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

const MODES = [
  { value: 'closed', label: 'Closed', description: 'You create every account.' },
  { value: 'invitation', label: 'By invitation', description: 'People with a code from you.' },
  {
    value: 'approval',
    label: 'With approval',
    description: 'Anybody applies and you let them in. A code from you skips that.',
  },
  { value: 'open', label: 'Open', description: 'Anybody with an e-mail address.' },
] as const
const PROVIDERS = [
  { value: 'off', label: 'None' },
  { value: 'turnstile', label: 'Cloudflare Turnstile' },
  { value: 'hcaptcha', label: 'hCaptcha' },
]

export function SignUpSettings({ saved }: { saved: Saved }) {
  const client = useQueryClient()
  const form = useSettingsForm<Values, Saved>({
    group: SIGN_UP,
    initial: {
      mode: saved.mode,
      provider: saved.captcha.provider,
      siteKey: saved.captcha.siteKey ?? '',
      secret: '',
      required: saved.terms.required,
      termsUrl: saved.terms.termsUrl ?? '',
      privacyUrl: saved.terms.privacyUrl ?? '',
    },
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
    said: 'Sign-up settings saved',
    done: () => void client.invalidateQueries({ queryKey: ['GET /api/signup/config'] }),
  })
  const { values, errors } = form
  return (
    <>
      <FormSection
        title={form.cardOf('mode')}
        description="How people get an account on this panel."
      >
        <WithDefault {...form.standing('mode', MODES)}>
          <Choices {...form.field('mode')} choices={MODES} />
        </WithDefault>
        {saved.mode === 'closed' ? null : (
          <Row gap={6}>
            <Text muted>People sign up at</Text>
            <Copyable
              value={`${location.origin}${paths.signUp}`}
              label="Copy the address of sign-up"
            />
            <Link to={paths.invites}>Invitations</Link>
          </Row>
        )}
      </FormSection>
      <FormSection
        title={form.cardOf('provider')}
        description="Keeps programs from creating accounts. You need an account with the provider."
      >
        <WithDefault {...form.standing('provider', PROVIDERS)}>
          <SelectField
            choices={PROVIDERS}
            {...form.field('provider')}
            onChange={(next) => {
              const found = PROVIDERS.find(({ value }) => value === next)?.value
              if (found === 'off' || found === 'turnstile' || found === 'hcaptcha')
                form.set('provider', found)
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
                saved.captcha.hasSecret ? 'One is saved. Leave this empty to keep it.' : undefined,
              )}
            />
          </>
        )}
      </FormSection>
      <FormSection
        title={form.cardOf('termsUrl')}
        description="Pages of yours that the sign-up form links to."
      >
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
