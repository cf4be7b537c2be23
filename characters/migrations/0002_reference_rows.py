"""The source's tables: powers of items, NPC ranks, the experience checklist. Japanese texts as printed there."""

from django.db import migrations

POWERS = {
    "tool": [
        (
            "普通の道具。道具が必要な判定で道具が無い場合は難易度を上げること。",
            "An ordinary tool. A check that needs a tool gets harder without one.",
        ),
        (
            "ちょっとした業物。時間をかけて探せばまれに手に入る。",
            "A piece of good work. Now and then found by those who search long enough.",
        ),
        ("めったに手に入らない優れた道具。", "An excellent tool that hardly ever comes to hand."),
        ("世界に2つとない優れた道具。", "An excellent tool, the only one in the world."),
        (
            "オーバーテクノロジーによるものや魔法的な効果を持つ高性能な道具。",
            "A powerful tool of over-technology or with magical effects.",
        ),
    ],
    "weapon": [
        ("パンチ、キック、頭突き、かみつきなど", "Punch, kick, head butt, bite and the like"),
        (
            "ナイフ、杖、小型の槍、小型の弓、小型〜中型のピストルなど",
            "Knife, staff, short spear, small bow, small to medium pistol and the like",
        ),
        (
            "片手用の刀剣/斧/棍棒類、大型の槍や弓、大型のピストル、ライフル、ショットガンなど",
            "One-handed sword, axe or club, large spear or bow, large pistol, rifle, shotgun and the like",
        ),
        (
            "両手剣、大型のクロスボウ、グレネードランチャー、対戦車ライフルなど",
            "Two-handed sword, large crossbow, grenade launcher, anti-tank rifle and the like",
        ),
        ("パイルバンカー、バズーカ、ミサイルなど", "Pile bunker, bazooka, missile and the like"),
    ],
    "armour": [
        (
            "厚手の服、防寒具、体の極一部だけを守る防具(額当て等)など。",
            "Thick clothes, winter clothes, protection of a very small part of the body (a forehead guard) and the like.",
        ),
        (
            "革鎧、防弾チョッキ、簡易ボディーアーマー、小型の盾など。",
            "Leather armour, bulletproof vest, light body armour, small shield and the like.",
        ),
        (
            "軽金属鎧(チェインメイル等)、ボディアーマー、中型の盾など。",
            "Light metal armour (chain mail), body armour, medium shield and the like.",
        ),
        (
            "重金属鎧(プレートメイル等)、全身を覆うプロテクター、大型の盾など。",
            "Heavy metal armour (plate mail), full body protector, large shield and the like.",
        ),
        ("パワードスーツ、魔法で強化された防具など", "Powered suit, armour strengthened by magic and the like"),
    ],
}

# rank, name and description in both languages, hp, skills, suits, weapon, armour (the figures: UC-10.4)
RANKS = [
    (
        1,
        "雑魚",
        "Small fry",
        "子供、老人、病人、ただの群衆や倒されるためのザコ敵など",
        "Children, the old, the sick, a mere crowd, minor enemies who are there to be beaten",
        (1, 0, 0, 0, 0),
    ),
    (
        2,
        "一般人",
        "Ordinary person",
        "中高校生〜中年までの普通に健康な人。得意スートや特技は無い",
        "Anybody in normal health from teens to middle age. No favoured suit, no skill",
        (2, 0, 0, 0, 0),
    ),
    (
        3,
        "熟練者",
        "Skilled",
        "PCのライバルとなりうる。特技と普通の装備を持つ。",
        "Could be a rival of a player character. Has skills and ordinary equipment.",
        (3, 1, 0, 1, 1),
    ),
    (
        4,
        "玄人",
        "Professional",
        "その道では名の知れた人物。得意スートと特技、普通の装備を持つ",
        "A known name in the field. Has a favoured suit, skills and ordinary equipment",
        (4, 2, 1, 1, 1),
    ),
    (
        5,
        "達人",
        "Master",
        "中ボスクラス。得意スートと特技、良い性能の装備を持つ",
        "The boss halfway. Has a favoured suit, skills and good equipment",
        (5, 3, 1, 2, 2),
    ),
    (
        6,
        "超人",
        "Superhuman",
        "大ボスクラス。得意スートと特技、良い性能の装備、特殊能力を持つ",
        "The boss at the end. Has favoured suits, skills, good equipment and a special ability",
        (6, 4, 2, 2, 2),
    ),
]

LINES = [
    ("took-part", "セッションに最後まで参加した。", "Took part until the end of the session."),
    (
        "acted",
        "積極的に行動し、自分の活躍するシーンを作った。",
        "Acted boldly and made a scene to shine in.",
    ),
    (
        "supported",
        "他のキャラクターの行動を効果的にサポートできた。",
        "Supported another character's action to good effect.",
    ),
    (
        "led",
        "リーダーシップを発揮して他のキャラクターを導いた。",
        "Showed leadership and guided the other characters.",
    ),
    ("solved", "問題を解決するために積極的に行動した。", "Acted boldly to solve the problem."),
    (
        "bonded-with-npc",
        "NPCと良い関係を築いた(友人/恋人/良きライバルになった等)。",
        "Built a good relation with an NPC (a friend, a love, a good rival …).",
    ),
    (
        "bonded-with-pc",
        "他のPCと良い関係を築いた(友人/恋人/良きライバルになった等)。",
        "Built a good relation with another player character (a friend, a love, a good rival …).",
    ),
    (
        "noticed",
        "隠されていた謎や伏線に気が付き、そのことを自分のキャラクターに語らせた。",
        "Noticed a hidden riddle or hint and let the character speak of it.",
    ),
    (
        "astonished",
        "参加者をあっと言わせるようなセリフを言ったり、行動をしたりした。",
        "Said or did something that astonished everyone at the table.",
    ),
]


def add_rows(apps, schema_editor):
    item_power = apps.get_model("characters", "ItemPower")
    for table, texts in POWERS.items():
        for value, (ja, en) in enumerate(texts):
            item_power.objects.create(table=table, value=value, text_ja=ja, text_en=en)
    npc_rank = apps.get_model("characters", "NpcRank")
    for rank, name_ja, name_en, ja, en, (hp, skills, suits, weapon, armour) in RANKS:
        npc_rank.objects.create(
            rank=rank, name_ja=name_ja, name_en=name_en, description_ja=ja, description_en=en,
            hp=hp, skills=skills, suits=suits, weapon=weapon, armour=armour,
        )
    line = apps.get_model("characters", "ExperienceLine")
    for order, (key, ja, en) in enumerate(LINES, start=1):
        line.objects.create(key=key, order=order, text_ja=ja, text_en=en)


class Migration(migrations.Migration):
    dependencies = [("characters", "0001_sheets")]

    operations = [migrations.RunPython(add_rows, migrations.RunPython.noop, elidable=False)]
