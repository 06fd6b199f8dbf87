/** Lost though nothing was exchanged. */
import { type Known, known } from './known.ts'

export const inOrder: readonly Known[] = [
  known('one user logs in by two ways', (s) =>
    s.login(0, 'Bob', 'clientlogin').logout(0).login(0, 'Bob').logout(0)
  ),
  known('a bot password beside the full login', (s) =>
    s
      .login(0, 'Bob')
      .login(1, 'Bob', 'bot')
      .read(0, 'userinfo')
      .read(1, 'userinfo')
      .edit(0, 'Prove C', 'x')
      .edit(1, 'Prove C', 'y')
      .logout(0)
      .logout(1)
  ),
  known('a wrong and a right password by two clients', (s) =>
    s
      .login(0, 'Bob', 'login', 'wrong')
      .login(1, 'Bob')
      .read(0, 'userinfo')
      .read(1, 'userinfo')
  ),
  known('one edit by two sessions with different results', (s) =>
    s
      .login(0, 'Bob')
      .login(1, 'Bob')
      .edit(0, 'Prove C', 'x')
      .edit(1, 'Prove C', 'x')
      .read(1, 'revisions', { title: 'Prove C' })
  ),
  known('one account made by two sessions', (s) => {
    const account = {
      action: 'createaccount',
      username: 'Prover 8',
      password: 'Some-passw0rd-17',
      retype: 'Some-passw0rd-17',
      createreturnurl: 'http://127.0.0.1/',
      createtoken: '{createaccount}'
    }
    return s.login(0, 'Admin').login(1, 'Admin').post(0, account).post(1, account)
  })
]
