/** Names by the culture they are common in; a person takes all of theirs from one. */
export interface Culture {
  readonly weight: number;
  readonly female: readonly string[];
  readonly male: readonly string[];
  readonly family: readonly string[];
  /** How the given and the family name are put together; default: given first, a space between. */
  readonly order?: 'family-first';
}

const words = (text: string): readonly string[] => text.split(' ');

export const cultures: readonly Culture[] = [
  {
    weight: 30,
    female: words(
      'Abigail Beatrice Clara Daphne Eleanor Fern Greta Harriet Imogen June Kit Lorna Mabel Nell Opal Prudence Rosalind Sylvie Tamsin Willa',
    ),
    male: words(
      'Alden Barnaby Clement Desmond Edgar Fitzroy Gideon Horace Ivor Jasper Leopold Magnus Ned Oswin Percival Quentin Rufus Silas Tobias Wendell',
    ),
    family: words(
      "Applewhite Bramblethorn Cotterstone Dunwoodie Eaglesham Fennimore Goldfinch Halloway Inglebright Jessop Kettlewell Lovelace Merriweather Nightingale O'Dellahay Peverell Quillfeather Rookwood Summerisle Thistlewood Underhill Wetherby",
    ),
  },
  {
    weight: 16,
    female: words(
      'Alejandra Belén Catalina Dolores Esperanza Fernanda Graciela Inés Jimena Lucía Marisol Noelia Paloma Rocío Soledad Ximena',
    ),
    male: words(
      'Agustín Benicio Cristóbal Diego Emiliano Facundo Gonzalo Iñaki Joaquín Leandro Máximo Nicanor Óscar Rodrigo Teodoro Ulises',
    ),
    family: [
      'Alcázar Fuentes',
      'Benavídez',
      'Cienfuegos',
      'Del Río Montalvo',
      'Echeverría',
      'Fontanar',
      'Guerrero Luna',
      'Ibarra',
      'Llorente',
      'Montenegro',
      'Núñez Arce',
      'Peñalosa',
      'Quintanilla',
      'Ribadeneyra',
      'Sotomayor',
      'Valdepeñas',
    ],
  },
  {
    weight: 9,
    female: words(
      'Adaeze Chiamaka Ebele Folasade Ifeoma Kehinde Ngozi Omolara Simisola Temitope Yewande Zainab',
    ),
    male: words(
      'Adebayo Chukwuemeka Dapo Ekene Femi Gbenga Ikenna Kayode Obinna Segun Tunde Uzoma',
    ),
    family: words(
      'Abiodun Adeyinka Balogun Chidubem Ekwueme Fagbemi Igwe Makinde Nwachukwu Obaseki Oyelaran Ugochi',
    ),
  },
  {
    weight: 9,
    female: words('Aditi Bhavna Charu Devika Gauri Ishani Jaya Kavya Leela Meera Nandini Revathi'),
    male: words('Aarav Bharat Chetan Devdas Gautam Harish Ishaan Jatin Keshav Mohit Naveen Rohan'),
    family: words(
      'Agnihotri Bhattacharya Chaudhuri Deshpande Gokhale Iyengar Kulkarni Mukherjee Nambiar Raghunathan Subramaniam Venkataraman',
    ),
  },
  {
    weight: 8,
    female: words('Linh Mai Ngân Phượng Quỳnh Thảo Trinh Tuyết Vân Yến'),
    male: words('Bảo Cường Đức Hiếu Khôi Long Nghĩa Phúc Quang Tuấn'),
    family: words('Bùi Đặng Đỗ Hoàng Lê Ngô Nguyễn Phạm Trần Vũ'),
  },
  {
    weight: 6,
    female: words('Aneta Bożena Danuta Grażyna Halina Jagoda Kinga Łucja Małgorzata Zofia'),
    male: words(
      'Bartłomiej Cezary Dariusz Gniewko Jarosław Kazimierz Łukasz Mirosław Stanisław Witold',
    ),
    family: words(
      'Brzęczyszczyk Ciepłowski Dąbrowolski Grzegorzewicz Jastrzębiak Kołodziejczyk Łopuszański Mazurkiewicz Śliwiński Żółtowicz',
    ),
  },
  {
    weight: 5,
    female: words('Ásdís Birna Eir Freyja Hildur Ingrid Liv Ragnhild Sólveig Þórunn'),
    male: words('Arnar Bjarki Einar Gunnar Håkon Jökull Leif Sindri Torbjørn Ægir'),
    family: words(
      'Bjørnstad Eldjárn Fjeldheim Grønvold Hafsteinsson Kværnmo Lindqvist Nordgård Sjöblad Østergren',
    ),
  },
  {
    weight: 5,
    female: words('أمينة بشرى جميلة رانيا سلمى عبير ليلى نور هدى ياسمين'),
    male: words('أنس باسم جمال حازم سامر طارق عمر فارس كريم يوسف'),
    family: words('البغدادي التميمي الحدّاد الخطيب الدمشقي الزهراني السعدي الصبّاغ القيسي النجّار'),
  },
  {
    weight: 5,
    female: words('雨桐 思涵 欣怡 梓萱 诗琪 美玲 静雯 婉清'),
    male: words('浩然 宇轩 志强 俊杰 建国 天佑 文博 子墨'),
    family: words('欧阳 司马 上官 李 王 张 陈 林 周 吴'),
    order: 'family-first',
  },
  {
    weight: 3,
    female: words('Άννα Δήμητρα Ελένη Ζωή Καλλιόπη Σοφία'),
    male: words('Αλέξανδρος Γιώργος Κωνσταντίνος Νικόλαος Σπύρος Χρήστος'),
    family: words('Βασιλόπουλος Γαλάνης Ιωαννίδης Καραγιάννης Μαυροκορδάτος Ξανθάκης'),
  },
  {
    weight: 4,
    female: words('Аглая Варвара Дарина Злата Лада Мирослава'),
    male: words('Арсений Богдан Всеволод Добрыня Ратибор Ярослав'),
    family: words('Бережненко Вишневенко Громыченко Калиненко Лебединенко Соловейченко'),
  },
];
