import type { Phrases } from '../phrasebook.ts'

/** What the rules of a template say of the value of a variable, whose name stands before it. */
export const rulesOfVariables: Phrases = {
  'must be true or false': 'muss wahr oder falsch sein (true oder false)',
  'must be accepted': 'muss angenommen werden',
  'must be a number': 'muss eine Zahl sein',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'may only contain letters': 'darf nur Buchstaben enthalten',
  'may only contain letters and digits': 'darf nur Buchstaben und Ziffern enthalten',
  'may only contain letters, digits, dashes and underscores':
    'darf nur Buchstaben, Ziffern, Binde- und Unterstriche enthalten',
  'may only contain ASCII characters': 'darf nur ASCII-Zeichen enthalten',
  'must be in lower case': 'muss kleingeschrieben sein',
  'must be in upper case': 'muss großgeschrieben sein',
  'must be a URL': 'muss eine URL sein',
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'must be an IP address': 'muss eine IP-Adresse sein',
  'must be an IPv4 address': 'muss eine IPv4-Adresse sein',
  'must be an IPv6 address': 'muss eine IPv6-Adresse sein',
  'must be a UUID': 'muss eine UUID sein',
  'must be JSON': 'muss JSON sein',
  'must be at least {a}': 'muss mindestens {a} sein',
  'must have at least {a} characters': 'muss mindestens {a} Zeichen haben',
  'must be at most {a}': 'darf höchstens {a} sein',
  'must have at most {a} characters': 'darf höchstens {a} Zeichen haben',
  'must be greater than {a}': 'muss größer als {a} sein',
  'must be longer than {a}': 'muss länger als {a} Zeichen sein',
  'must be less than {a}': 'muss kleiner als {a} sein',
  'must be shorter than {a}': 'muss kürzer als {a} Zeichen sein',
  'must be {a}': 'muss {a} sein',
  'must have exactly {a} characters': 'muss genau {a} Zeichen haben',
  'must be between {a} and {b}': 'muss zwischen {a} und {b} liegen',
  'must have between {a} and {b} characters': 'muss zwischen {a} und {b} Zeichen haben',
  'must have {a} digits': 'muss {a} Ziffern haben',
  'must have at least {a} digits': 'muss mindestens {a} Ziffern haben',
  'must have at most {a} digits': 'darf höchstens {a} Ziffern haben',
  'must have between {a} and {b} digits': 'muss zwischen {a} und {b} Ziffern haben',
  'must be one of {a}': 'muss eines davon sein: {a}',
  'must not be one of {a}': 'darf nichts davon sein: {a}',
  'must begin with one of {a}': 'muss mit etwas davon beginnen: {a}',
  'must not begin with one of {a}': 'darf mit nichts davon beginnen: {a}',
  'must end with one of {a}': 'muss mit etwas davon enden: {a}',
  'must not end with one of {a}': 'darf mit nichts davon enden: {a}',
  'is too long for its pattern to be checked':
    'ist zu lang, um mit dem Muster verglichen zu werden',
  'does not have the expected form': 'hat nicht die erwartete Form',
  'has a form that is not allowed': 'hat eine Form, die nicht erlaubt ist',
}

/** The same with the name before it. */
export const faultsOfVariables: Phrases = {
  '{a} must not be longer than {b} characters': '{a} darf nicht länger als {b} Zeichen sein',
  '{a} must not contain a null character': '{a} darf kein Nullzeichen enthalten',
  '{a} is required': '{a} ist erforderlich',
}
