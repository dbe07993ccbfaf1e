import { emailAddress, newPassword } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { z } from 'zod'
import { api, type Reply } from '../../api.ts'
import { useFromLink } from '../../session/link-token.ts'
import { Tick } from '../../ui/choices/tick.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Captcha } from './captcha.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { EmailField } from './sign-in/email-field.tsx'
import { t } from './words.ts'

type Config = Reply<'GET /api/signup/config'>

const Input = z.object({ email: emailAddress, password: newPassword })

/** Address, password and whatever else the host requires for a new account. */
export function SignUpForm({
  config,
  onDone,
}: {
  config: Config
  onDone: (email: string) => void
}) {
  const code = useFromLink('code')
  const [captcha, setCaptcha] = useState('')
  const [round, setRound] = useState(0)
  const form = useForm({
    initial: { email: '', password: '', inviteCode: code, acceptTerms: false },
    schema: Input,
    toBody: ({ email, password }) => ({ email, password }),
    submit: ({ email, password, inviteCode, acceptTerms }) =>
      api('POST /api/auth/register', {
        body: {
          email: email.trim(),
          password,
          ...(inviteCode.trim() === '' ? {} : { inviteCode: inviteCode.trim() }),
          ...(config.terms.required ? { acceptTerms } : {}),
          ...(captcha === '' ? {} : { captcha }),
        },
      }).finally(() => {
        // A captcha response is valid for one attempt.
        setCaptcha('')
        setRound((old) => old + 1)
      }),
    done: (_answer, { email }) => onDone(email.trim()),
  })
  const { values } = form
  const blocked =
    values.email.trim() === '' || values.password === ''
      ? t.credentialsMissing
      : config.mode === 'invitation' && values.inviteCode.trim() === ''
        ? t.codeMissing
        : config.terms.required && !values.acceptTerms
          ? t.termsFirst
          : config.captcha.provider !== 'off' && captcha === ''
            ? t.captchaFirst
            : undefined
  return (
    <Form form={form} submitText={t.createAccount} submitFull disabledBecause={blocked}>
      <EmailField {...form.field('email')} />
      <PasswordChoice label={t.password} field={form.field('password')} />
      {config.mode === 'open' && code === '' ? null : (
        <TextField
          label={config.mode === 'invitation' ? t.invitationCode : t.invitationCodeOptional}
          autoComplete="off"
          mono
          {...form.field('inviteCode')}
        />
      )}
      {config.captcha.provider !== 'off' && config.captcha.siteKey ? (
        <Captcha
          key={round}
          provider={config.captcha.provider}
          siteKey={config.captcha.siteKey}
          onAnswer={setCaptcha}
        />
      ) : null}
      <Terms
        config={config.terms}
        accepted={values.acceptTerms}
        onChange={(on) => form.set('acceptTerms', on)}
      />
    </Form>
  )
}

function Terms({
  config,
  accepted,
  onChange,
}: {
  config: Config['terms']
  accepted: boolean
  onChange: (accepted: boolean) => void
}) {
  const { required, termsUrl, privacyUrl } = config
  if (!required && !termsUrl && !privacyUrl) return null
  const terms = (text: string) => (termsUrl ? <Away href={termsUrl}>{text}</Away> : text)
  const privacy = (text: string) => (privacyUrl ? <Away href={privacyUrl}>{text}</Away> : text)
  if (!required)
    return <p>{rich(privacyUrl ? t.readBoth({ terms, privacy }) : t.readTerms({ terms }))}</p>
  return (
    <Tick
      label={rich(privacyUrl ? t.acceptBoth({ terms, privacy }) : t.acceptTerms({ terms }))}
      checked={accepted}
      onChange={onChange}
    />
  )
}

const Away = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
)
