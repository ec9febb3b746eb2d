/** With whom the PSUs of the bank have to do: names are made up, account numbers of no real bank. */

import { numberFrom } from './draw.js';
import { belgianIban, OTHER_BANK_CODE } from './identity.js';

export interface Party {
  readonly name: string;
  readonly iban?: string;
  readonly bban?: string;
}

export const FIRST_NAMES = words(`
  Emma Lucas Louise Noah Marie Arthur Elise Victor Julie Adam Camille Jules Sofie Thomas Laura Maxime Anna Simon
  Charlotte Wout Nora Bram Lotte Ruben Sarah Jan Ines Pieter Lina Koen Amina Youssef Eva Mathis Hanne Bart Fien Tom
  Zoe Karim`);

export const SURNAMES = words(`
  Peeters Janssens Maes Jacobs Mertens Willems Claes Goossens Wouters Dubois Lambert Dupont Martin Simon Laurent
  Leclercq Hermans Aerts Michiels Segers Pauwels Lemmens Vermeulen Desmet Claessens Renard Gilles Fontaine Baert
  Cools Nijs Smets Thijs Bogaert Carlier Denis Hendrickx Verhoeven Delvaux Noel`);

export const PLAIN_WORDS = words(`
  linde beuk eik berk wilg hulst vlier iep spar den meidoorn hazelaar esdoorn kastanje lijsterbes jeneverbes`);

export const FIRMS = [
  'Consulting BV',
  'Studio BV',
  'Techniek BV',
  'Bouw BV',
  'Atelier BV',
  'Design SRL',
] as const;

/** Those who are paid by card show their name only. */
export const SHOPS = {
  groceries: named(
    `Buurtmarkt Tervuursevest|Superette Kouter|Versmarkt De Korf|Marché du Parvis|Biohoek Zuid`,
  ),
  bakery: named(`Bakkerij De Vlier|Boulangerie Lambermont|Broodhuis Molenstraat|Koffiehuis Noord`),
  restaurant: named(
    `Brasserie Het Anker|Eetcafé De Sluis|Pizzeria Vesta|Sushi Havenkaai|Frituur 't Pleintje`,
  ),
  fuel: named(`Tankstation Ring Oost|Station Quai Sud|Laadplein Noord`),
  clothes: named(`Modehuis Adelin|Schoenen Verbeke|Sportwinkel Start|Boekhandel Perron|Meubelhal Dijle`),
  online: named(`Webwinkel Pakketje|Elektro Online|Tickets & Co|Vliegreis.example|Hotelboeking.example`),
  pharmacy: named(`Apotheek Sint-Jan|Pharmacie du Canal|Opticien Helder`),
  transport: named(`Spoorwegen Ticket|Stadsbus App|Deelfiets Stad`),
  streaming: named(`Kijkbuis Streaming|Muziekstroom`),
  cash: named(`Geldautomaat Grote Markt|Geldautomaat Station|Geldautomaat Havenlaan`),
  abroad: named(`Cloudhost Inc|Harbor Street Books Inc|Design Fonts Ltd|Alpine Hosting AG|Airport Shops Ltd`),
} as const;

export const FIRMS_BY_TRADE = {
  employers:
    withIbans(`Maaslandse Drukkerij NV|Havenlogistiek Schelde NV|Ziekenhuis Sint-Rafael VZW|Scholengroep De
    Brug VZW|Imprimerie de la Senne SA|Softwarehuis Kade BV|Bouwgroep Vaart NV|Stadsbestuur Dijlestad`),
  pensions: withIbans(`Pensioendienst Kanselarij`),
  landlords: withIbans(`Immo Lindenhof BV|Woonbeheer Zuidpark BV|Régie des Tilleuls SRL|Vastgoed Kade NV`),
  energy: withIbans(`Noordzee Energie|Énergie des Ardennes SA|Zonnestroom CV`),
  water: withIbans(`Waterbedrijf Dijle|Eaux de la Senne`),
  telecom: withIbans(`Belcom Telecom|Mobielnet|Fibre Brabant SA`),
  insurance: withIbans(`Verzekeringen De Eik NV|Assurances du Midi SA`),
  sport: withIbans(`Sportcentrum Dijle|Fitness Kanaal|Zwemclub De Otter VZW`),
  school: withIbans(`Basisschool De Regenboog VZW|École du Verger ASBL`),
  friends: withIbans(`Joke Vanden Berg|Olivier Marchal|Fatima Bennani|Stijn Geerts|Katrien Loos|Hugo Lefort`),
  parents: withIbans(`Ouders Vandamme|Famille Moreau|Familie Deprez`),
  customers:
    withIbans(`Gemeente Kouterdorp|Hotel Belvédère SA|Drukkerij Peter NV|Kliniek Zeebries VZW|Garage Oost
    BV|Architecten Plein BV|Transport Lys SA|Wijnhandel Domein BV`),
  suppliers:
    withIbans(`Kantoorgroothandel BV|Materiaal Depot NV|Boekhouding Cijfer BV|Drukwerk Direct BV|Leasing
    Brabant NV`),
  offices: withIbans(`Bedrijvencentrum Kaai NV|Espace Bureaux SRL`),
  social: withIbans(`Sociaal Verzekeringsfonds Zelfstandigen`),
  tax: withIbans(`Ontvangkantoor BTW`),
  travel: withIbans(`Reisbureau Kompas BV|Voyages Horizon SA`),
  clientsAbroad: withBbans(
    `Harbor Street Books Inc|Northwind Trading Ltd|Matterhorn Partners AG|Lakeside Media LLC`,
  ),
} as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function names(text: string): readonly string[] {
  return text.replace(/\s+/g, ' ').split('|');
}

function named(text: string): readonly Party[] {
  return names(text).map((name) => ({ name }));
}

function withIbans(text: string): readonly Party[] {
  return names(text).map((name) => ({
    name,
    iban: belgianIban(OTHER_BANK_CODE, numberOf(name) % 10_000_000),
  }));
}

function withBbans(text: string): readonly Party[] {
  return names(text).map((name) => ({
    name,
    bban: String(numberOf(name) % 1_000_000_000).padStart(12, '0'),
  }));
}

function numberOf(name: string): number {
  return numberFrom(...[...name].map((character) => character.codePointAt(0) ?? 0));
}
