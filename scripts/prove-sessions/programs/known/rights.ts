/** Who may what. */

import { password } from '../script.ts'
import { type Known, known } from './known.ts'

export const rights: readonly Known[] = [
  known('a bot password has fewer rights than the login of its user', (s) =>
    s
      .login(0, 'Admin')
      .read(0, 'deletedrevisions', { title: 'Prove D' })
      .read(0, 'userinfo')
      .read(0, 'can')
      .login(1, 'Admin', 'bot')
      .read(1, 'deletedrevisions', { title: 'Prove D' })
      .read(1, 'userinfo')
      .read(1, 'can')
  ),
  known('the login of a user has more rights than a bot password', (s) =>
    s
      .login(1, 'Admin', 'bot')
      .read(1, 'deletedrevisions', { title: 'Prove D' })
      .read(1, 'can')
      .login(0, 'Admin')
      .read(0, 'deletedrevisions', { title: 'Prove D' })
      .read(0, 'can')
  ),
  known('a token is invalid once its session has ended', (s) =>
    s
      .login(0, 'Bob')
      .read(0, 'checktoken')
      .logout(0)
      .login(0, 'Bob', 'login', password, 'keeps its tokens')
      .read(0, 'checktoken')
      .login(1, 'Bob')
      .read(1, 'checktoken')
  ),
  known('user groups are counted again after an account is made', (s) =>
    s
      .login(0, 'Admin')
      .read(0, 'usergroups')
      .read(0, 'allusers')
      .post(0, {
        action: 'createaccount',
        username: 'Prover 9',
        password: 'Some-passw0rd-17',
        retype: 'Some-passw0rd-17',
        createreturnurl: 'http://127.0.0.1/',
        createtoken: '{createaccount}'
      })
      .read(0, 'usergroups')
      .read(0, 'allusers')
  ),
  known('a temporary account is made by an edit', (s) =>
    s
      .withTemporaryAccounts()
      .tokens(0)
      .read(1, 'temporary')
      .edit(0, 'Prove C', 'temporary')
      .read(1, 'temporary')
      .read(0, 'temporary')
  )
]
