from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0026_limit_name'),
    ]

    operations = [
        migrations.RenameField(model_name='campaign', old_name='figures', new_name='house_values'),
    ]
