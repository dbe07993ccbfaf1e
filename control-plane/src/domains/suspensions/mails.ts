import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { momentText } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

export const accountSuspended = defineMail({
  id: 'account_suspended',
  title: 'The account was suspended',
  opens: 'home',
  priority: 0,
  variables: {
    reason: 'We received reports that your servers were used for attacks.',
    until: '',
    deletion: '',
    appeal: 'yes',
  },
  subject: 'Your account at {{ panel.name }} is suspended',
  body: paragraphs(
    'Your account at {{ panel.name }} was suspended{% if until %} until {{ until }}{% endif %}.{% if reason %} {{ reason }}{% endif %}',
    '{% if deletion %}Unless this is resolved, your servers will be deleted from {{ deletion }} on. {% endif %}{% if appeal %}Sign in to see what still works and to appeal.{% else %}Contact us if you think that this is a mistake.{% endif %}',
    '[See the suspension]({{ link }})',
  ),
})

export const accountUnsuspended = defineMail({
  id: 'account_unsuspended',
  title: 'The account is no longer suspended',
  opens: 'home',
  priority: 1,
  variables: {},
  subject: 'Your account at {{ panel.name }} works again',
  body: paragraphs(
    'The suspension of your account at {{ panel.name }} is over. You can use everything again.',
    '[Open the panel]({{ link }})',
  ),
})

export const appealReply = defineMail({
  id: 'appeal_reply',
  title: 'An appeal was answered',
  opens: 'home',
  priority: 0,
  variables: { decision: '', message: 'Thank you. Which of your servers was affected?' },
  subject: 'The answer to your appeal at {{ panel.name }}',
  body: paragraphs(
    'Your appeal at {{ panel.name }} was {% if decision %}{{ decision }}{% else %}answered{% endif %}:',
    '{{ message }}',
    '[Read the answer]({{ link }})',
  ),
})

export const suspensionMails = [accountSuspended, accountUnsuspended, appealReply]

export const suspensionLetters: Letters = {
  'account.suspended': ({ userId, email: to, reason, endsAt, deleteServersAt, ...given }) =>
    given.options.notifyCustomer
      ? letter(accountSuspended, {
          to,
          userId,
          variables: (reader) => ({
            reason: reason ?? '',
            until: endsAt ? momentText(endsAt, reader) : '',
            deletion: deleteServersAt ? momentText(deleteServersAt, reader) : '',
            appeal: given.mayAppeal ? 'yes' : '',
          }),
        })
      : [],
  'account.unsuspended': ({ userId, email: to, notify }) =>
    notify ? letter(accountUnsuspended, { to, userId, variables: {} }) : [],
  'appeal.answered': ({ userId, email: to, message, decision }) =>
    letter(appealReply, {
      ...{ to, userId },
      variables: (reader) => ({
        decision: decision === null ? '' : wordsFor(t, reader).decided({ decision }),
        message,
      }),
    }),
}
