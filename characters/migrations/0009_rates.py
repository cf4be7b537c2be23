from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0008_translations'),
    ]

    operations = [
        migrations.RenameField(model_name='experiencechecklist', old_name='figures', new_name='rates'),
        migrations.RenameField(model_name='ledgerentry', old_name='figures', new_name='rates'),
        migrations.AlterField(
            model_name='experiencechecklist',
            name='campaign',
            field=models.CharField(blank=True, help_text="Whose rates count; empty: the rules'.", max_length=60),
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='campaign',
            field=models.CharField(blank=True, help_text='Whose rates were used.', max_length=60),
        ),
    ]
