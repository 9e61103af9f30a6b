const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that carry no subject. */
export const stopWords = list(`
  a about above after again all also am an and any are as at be been before being below between both but by can could did do does doing
  done down during each either else etc every few for from further get had has have having he her here hers him his how however i if in
  into is it its itself just let many may me might more most much must my near neither no nor not of off on once one only onto or other our
  ours out over own per said same shall she should since so some such than that the their theirs them then there these they this those
  through thus to too under until up upon us very via was we were what when where whether which while who whom whose why will with
  within without would yes yet you your yours
  across along although amid among around behind beside beyond despite near since though throughout toward towards unless whereas
  accordingly additionally besides consequently conversely finally furthermore hence indeed instead likewise meanwhile moreover nevertheless
  nonetheless notably overall respectively similarly specifically therefore s t re ve ll d m don doesn didn isn aren wasn weren won
`)

/** Words that ask or lead to what is asked, and are no subject either. */
export const askWords = list(`
  according answer ask asked article describe detail details document documents explain fetch find following give given identify
  information know list look mention mentioned name named need please provide question related report reported reports retrieve return
  say says show state stated summarise summarize tell text want write
`)
