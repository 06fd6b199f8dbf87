import { useCassette } from 'wikitape/vitest'

useCassette({
  apiUrl: 'https://ru.wikipedia.org/w/api.php',
  allowLive: true,
  allowOtherWikis: ['https://wiki.example']
})
