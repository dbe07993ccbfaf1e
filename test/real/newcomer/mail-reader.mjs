// The workplace's mail server: prints each received mail as a line of JSON.
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    buffer(stream)
      .then((raw) => PostalMime.parse(raw))
      .then(({ subject, text }) => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        process.stdout.write(`${JSON.stringify({ to, subject, text })}\n`)
        done()
      })
      .catch(done)
  },
})
server.listen(25, '0.0.0.0', () => process.stdout.write('"ready"\n'))
